//! Whether CMake can build the library here, and what to do where it cannot.

use std::{env, io::ErrorKind, process::Command};

/// A program that the build starts.
pub(crate) struct Tool {
    /// What it is, in words.
    pub(crate) what: &'static str,
    /// How it is started.
    pub(crate) command: String,
    /// Debian's package that has it.
    pub(crate) package: &'static str,
}

/// What the build starts, by the environment's names for it or the usual ones.
pub(crate) fn needed() -> Vec<Tool> {
    let named = |variable, usual: &str| {
        env::var(variable).ok().filter(|value| !value.is_empty()).unwrap_or(usual.into())
    };
    let tool = |what, command, package| Tool { what, command, package };
    let mut tools = vec![
        tool("CMake", named("CMAKE", "cmake"), "cmake"),
        tool("a compiler of C", named("CC", "cc"), "gcc"),
        tool("a compiler of C++20", named("CXX", "c++"), "g++"),
    ];
    if env::var_os("CMAKE_GENERATOR").is_none() {
        tools.push(tool("make", "make".into(), "make"));
    }
    tools
}

/// A sentence that names what of these is not there.
pub(crate) fn are_there(tools: &[Tool]) -> Result<(), String> {
    let missing: Vec<_> = tools.iter().filter(|tool| !starts(&tool.command)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = |of: fn(&Tool) -> String, by| missing.iter().map(|tool| of(tool)).collect::<Vec<_>>().join(by);
    Err(format!(
        "libzkaccel is built with CMake, and this machine lacks {}: install them (on Debian `apt-get install {}`), or \
         set ZKA_LIB_DIR to the absolute path of a folder that has libzkaccel.so",
        list(|tool| format!("{} ({})", tool.what, tool.command), ", "),
        list(|tool| tool.package.into(), " ")
    ))
}

/// Compilers may be named with a program before them, such as ccache, and with options behind.
fn starts(command: &str) -> bool {
    let program = command.split_whitespace().next().unwrap_or_default();
    match Command::new(program).arg("--version").output() {
        Ok(_) => true,
        Err(error) => error.kind() != ErrorKind::NotFound,
    }
}
