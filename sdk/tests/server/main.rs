//! The server in the tests' own process: one program, since each compiles much of the library again.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod contract;
mod life;
#[path = "../support/mod.rs"]
mod support;
