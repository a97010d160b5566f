//! A computation's proof in a few kilobytes: what is left to check of it is proved succinctly.
//!
//! The last instance of a computation is in no accumulator. It is folded into the primary one by a round more, as the
//! next step would fold it, and the proof of this round is sent. Then all that remains is the claims of the two
//! accumulators, which [`accumulators`](crate::snark::accumulators) proves. A verifier follows the same way:
//!
//! 1. It computes the state hash of the steps and inputs that it was given and of the outputs and accumulators that were
//!    sent. This is the public input of the last instance, whose challenges follow from its commitments: neither is sent.
//! 2. It folds the last instance into the primary accumulator; after a single step it lifts it, since before the first
//!    instance nothing was folded.
//! 3. It checks the proof of both accumulators.
//!
//! Primary commitments have to be made with powers of tau, which is what makes the proof short; secondary ones are under
//! any key.

mod codec;
mod error;
mod key_codec;
mod keys;
mod proof;
mod prove;
mod statement;
mod verify;

pub use error::KeyError;
pub use keys::{ProverKey, VerifierKey};
pub use proof::CompressedProof;

#[cfg(test)]
mod tests;
