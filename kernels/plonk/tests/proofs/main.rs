//! Proofs of this prover, as halo2-axiom's verifier sees them.

#[path = "../support/mod.rs"]
mod support;

mod accepted;
mod assigned_again;
mod degenerate;
mod emulated_gpu;
mod known_proofs;
mod phases;
mod randomness;
mod refusals;
mod wrong_witnesses;
