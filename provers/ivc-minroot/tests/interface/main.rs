//! The public interface: one program, since each program that uses the library compiles much of it again.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod command_line;
mod proofs;
