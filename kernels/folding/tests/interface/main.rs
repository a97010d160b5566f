//! The public interface: one program, since each program that uses the library compiles much of it again.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod acceleration;
mod bad_input;
mod commitment_key;
mod commitment_key_cache;
#[path = "../common/mod.rs"]
mod common;
mod constant_memory;
#[path = "../inputs/mod.rs"]
mod inputs;
mod introductory;
mod proof_bytes;
mod rules;
mod saved_computation;
mod trivial_steps;
mod verifier_key_bytes;
