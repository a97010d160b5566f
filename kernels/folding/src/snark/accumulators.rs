//! A succinct proof of all that was folded: that the claims of two accumulators hold.
//!
//! The first, over bn256, claims a [weighted sum](crate::protogalaxy::Accumulator) of constraints; the second, over
//! grumpkin, a [relaxed relation](crate::cross_term::Accumulator), of which a random combination is taken: with a random
//! `τ`, `Σ_i eq(τ, i) (f_i(z) - E(i)) = 0` holds for few `τ` unless every `f_i(z)` is `E(i)`. Both sums are proved by
//! [`spartan`](super::spartan), which ends in evaluations of commitments: of the first, opened under powers of tau
//! ([`hyperkzg`](super::hyperkzg)), of the second, by an inner-product argument ([`ipa`](super::ipa)).
//!
//! One transcript binds all: it starts from the digest of the verifier's key and both accumulators in full, before any
//! challenge is drawn.

mod error;
mod key;
mod proof;
mod prove;
mod statement;
mod verify;

pub use error::Error;
pub use key::{ProverKey, VerifierKey};
pub use proof::Proof;
pub use prove::{Witnesses, prove};
pub use statement::Accumulators;
pub use verify::verify;

#[cfg(test)]
mod tests;
