//! The succinct proof: sum-checks and polynomial openings.
//!
//! What is here knows nothing of what is proved: a transcript, multilinear polynomials, a sum-check over them, and two
//! openings of commitments to them ([`hyperkzg`] over bn256, [`ipa`] over grumpkin). Each prover is next to the
//! verifier that repeats its transcript; verifiers are pure functions of their arguments.

pub mod accumulators;
pub mod encoding;
pub mod hyperkzg;
pub mod ipa;
pub mod multilinear;
pub mod spartan;
pub mod sumcheck;
pub mod transcript;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
