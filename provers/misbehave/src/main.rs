//! A prover for tests that does not behave: `MISBEHAVE` says in which way (see the README's table).
//!
//! It is put into images `FROM scratch`, so it is static, needs no file, and has its own HTTP server.

mod data;
mod json;
mod mode;
mod os;
mod probe;
mod request;
mod resources;
mod server;

use std::{env, net::TcpListener, process::exit, thread, time::Duration};

use mode::Mode;

/// How long `late-listen` waits unless `LATE_MS` says otherwise.
const LATE_MS_DEFAULT: u64 = 3000;
/// What `exit` exits with unless `EXIT_CODE` says otherwise.
const EXIT_CODE_DEFAULT: u64 = 3;

fn main() {
    let name = mode_name();
    let Some(mode) = Mode::parse(&name) else {
        eprintln!("misbehave: MISBEHAVE={name} is not one of {}", Mode::names());
        exit(2);
    };
    match mode {
        Mode::Exit => {
            println!("misbehave: exiting at once, as configured");
            exit(i32::try_from(number("EXIT_CODE", EXIT_CODE_DEFAULT)).unwrap_or(1));
        }
        Mode::NeverListen => loop {
            thread::park();
        },
        Mode::LateListen => thread::sleep(Duration::from_millis(number("LATE_MS", LATE_MS_DEFAULT))),
        Mode::Hang => os::ignore_terminate(),
        Mode::TakeMemory => resources::take_all_memory(),
        _ => {}
    }
    let port = env::var("PORT").unwrap_or_else(|_| "8080".to_owned());
    let listener = TcpListener::bind(format!("0.0.0.0:{port}")).unwrap_or_else(|error| {
        eprintln!("misbehave: cannot listen on port {port}: {error}");
        exit(1);
    });
    if let Ok(address) = listener.local_addr() {
        eprintln!("misbehave: {name} listens on {address}");
    }
    server::serve(&listener, mode);
}

/// Prover and verifier of a deployment have the same environment but for their role.
fn mode_name() -> String {
    let is_verifier = env::var("ELASTIC_ROLE").is_ok_and(|role| role == "verifier");
    let (variable, default) = if is_verifier { ("VERIFIER", "verify") } else { ("MISBEHAVE", "echo") };
    env::var(variable).unwrap_or_else(|_| default.to_owned())
}

/// A number from the environment. A text that is none counts as absent: only tests set these.
fn number(variable: &str, default: u64) -> u64 {
    env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
