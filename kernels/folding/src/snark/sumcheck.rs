//! Sum-checks: that `Σ_x w(x) g(p_1(x), …, p_m(x))` over the hypercube is what is claimed.
//!
//! Several sums are checked at once, each over as many variables as it has: their claims are combined by powers of a
//! challenge, and a sum over `k` of the `n` variables is one over all of them that does not depend on the first
//! `n - k`, so it is `2^(n-k)` times what is claimed. Its point is the last `k` coordinates of the common one.
//!
//! Or one sum is checked whose rows fall into [blocks](Block) with polynomials of their own, at the price of one.
//!
//! A round's polynomial is sent without its linear coefficient, which the claim of the round determines; so the check
//! `s(0) + s(1) = claim` holds by construction. The weight is a [product of linear factors](super::multilinear::ProductPolynomial):
//! the prover evaluates `g` alone, at one point less than its degree says, and multiplies the weight's factor in
//! afterwards, as in Gruen, "Some Improvements for the PIOP for ZeroCheck" (eprint 2024/108), section 3.
//!
//! The claims are absorbed here; what `w` and `g` are, and commitments to the `p_i`, are the caller's to absorb before.
//! A table that is padded to a power of two of rows contributes `w(x) g(0, …, 0)` for each row of zeros.

mod blocks;
mod claim;
mod error;
mod instance;
mod proof;
mod prove;
mod round;
mod univariate;
mod verify;
mod weight;

pub use blocks::{Block, ProvedBlocks, block_selector, prove_blocks};
pub use claim::{Claim, Reduced};
pub use error::Error;
pub use instance::{Instance, Summand, Table};
pub use proof::Proof;
pub use prove::{Proved, prove};
pub use verify::verify;

/// The most variables a sum may have.
pub const VARIABLES_MAX: usize = 32;

/// The highest degree a round's polynomial may have.
pub const DEGREE_MAX: usize = 16;

#[cfg(test)]
mod tests;
