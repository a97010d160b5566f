//! Proofs of this prover, as halo2-axiom's verifier sees them.

#[path = "../support/mod.rs"]
mod support;

mod accepted;
mod cancellation;
mod corrupt_keys;
mod degenerate;
mod device_memory;
mod emulated_gpu;
mod known_proofs;
mod memory;
mod phases;
mod random_circuits;
mod randomness;
mod refusals;
mod wrong_witnesses;
