//! halo2-axiom caps the degree of circuits at `MAX_DEGREE` of the environment: a number gives another verifying key than
//! the circuit's, and anything else is a panic.

use std::{env, io, os::unix::process::CommandExt, process::Command};

const VARIABLE: &str = "MAX_DEGREE";

/// Restarts this program without `MAX_DEGREE` where the environment has it: call it first in `main`. The process stays
/// the same one, with its arguments and streams.
///
/// # Errors
///
/// Where the program cannot be restarted.
pub fn clear_max_degree() -> io::Result<()> {
    if env::var_os(VARIABLE).is_none() {
        return Ok(());
    }
    let mut arguments = env::args_os();
    let mut program = Command::new(env::current_exe().map_err(in_words)?);
    if let Some(name) = arguments.next() {
        program.arg0(name);
    }
    Err(in_words(program.args(arguments).env_remove(VARIABLE).exec()))
}

fn in_words(error: io::Error) -> io::Error {
    let what = format!("cannot restart without {VARIABLE}, which changes circuits: {error}; unset it");
    io::Error::new(error.kind(), what)
}
