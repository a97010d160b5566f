//! The public interface: one program, since each program that uses the library compiles much of it again.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod changed_proofs;
mod command_line;
mod container_program;
mod powers_of_tau;
mod proofs;
#[path = "../support/mod.rs"]
mod support;
