//! Taking all there is of something: memory, processes, log space, disk.

use std::{
    fs::File,
    hint::black_box,
    io::{self, Write},
    process::Command,
};

use crate::{number, os::Child};

const BLOCK_BYTES: usize = 1024 * 1024;
/// Where no limit stops it, it stops itself, and the response says so.
const FORKS_MAX_DEFAULT: u64 = 10_000;
const FILL_BYTES_MAX_DEFAULT: u64 = 1 << 30;
const LOG_FLOOD_BYTES_DEFAULT: u64 = 64 << 20;

/// Allocates and touches memory until the kernel ends the process.
pub fn take_all_memory() -> ! {
    let mut taken = Vec::new();
    loop {
        taken.push(black_box(vec![1_u8; 16 * BLOCK_BYTES]));
    }
}

/// The same in a child, so that this process lives on. Returns how the child ended.
pub fn take_all_memory_in_a_child() -> String {
    let child = Command::new("/proc/self/exe").env("MISBEHAVE", "take-memory").status();
    child.map_or_else(|error| error.to_string(), |status| status.to_string())
}

/// `{"forked": N, "errno": E}`; errno is null if `FORKS_MAX` stopped it. The children end before the response.
pub fn fork_until_refused() -> String {
    let max = number("FORKS_MAX", FORKS_MAX_DEFAULT);
    let mut children = Vec::new();
    let mut refusal = None;
    while (children.len() as u64) < max && refusal.is_none() {
        match Child::fork() {
            Ok(child) => children.push(child),
            Err(error) => refusal = Some(error),
        }
    }
    format!(r#"{{"forked":{},"errno":{}}}"#, children.len(), errno(refusal.as_ref()))
}

/// `{"bytes": N}` after printing so many bytes of lines.
pub fn flood_logs() -> String {
    let wanted = number("LOG_FLOOD_BYTES", LOG_FLOOD_BYTES_DEFAULT);
    let mut out = io::stdout().lock();
    let (mut written, mut line_number) = (0, 0_u64);
    while written < wanted {
        line_number += 1;
        let line = format!("flood line {line_number:012} {}\n", "x".repeat(230));
        if out.write_all(line.as_bytes()).is_err() {
            break;
        }
        written += line.len() as u64;
    }
    let _ = out.flush();
    format!(r#"{{"bytes":{written}}}"#)
}

/// Writes the lines after `from` up to `to` to standard output, and returns `to`.
pub fn write_lines(from: u64, to: u64) -> u64 {
    let mut out = io::stdout().lock();
    for line in from..to {
        let _ = writeln!(out, "line {}", line + 1);
    }
    let _ = out.flush();
    to
}

/// `{"bytes": N, "errno": E}`: what went into `/tmp/fill`, which stays there. errno is null if `FILL_BYTES_MAX`
/// stopped it.
pub fn fill_tmp() -> String {
    let max = number("FILL_BYTES_MAX", FILL_BYTES_MAX_DEFAULT);
    let block = vec![1_u8; BLOCK_BYTES];
    let mut written = 0;
    let fill = |written: &mut u64| -> io::Result<()> {
        let mut file = File::create("/tmp/fill")?;
        while *written < max {
            *written += file.write(&block)? as u64;
        }
        Ok(())
    };
    let refusal = fill(&mut written).err();
    format!(r#"{{"bytes":{written},"errno":{}}}"#, errno(refusal.as_ref()))
}

fn errno(error: Option<&io::Error>) -> String {
    error.and_then(io::Error::raw_os_error).map_or_else(|| "null".to_owned(), |code| code.to_string())
}
