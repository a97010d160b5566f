//! Openings of commitments to multilinear polynomials, under powers of tau.
//!
//! A polynomial is committed as the univariate one whose coefficients are its values on the hypercube:
//! `C = Σ_i values[i] [τ^i]_1`. Several of them are opened at one point, combined by powers of a challenge.
//!
//! The reduction to univariate polynomials is Gemini's (Bootle, Chiesa, Hu and Orrù, eprint 2022/420, section 5.1): fold
//! the last variable, then the one before, commit to each result `f_1, …, f_(n-1)`, and check each fold at a random
//! point. The openings are batched as in Boneh, Drake, Fisch and Gabizon (eprint 2020/081, section 4): two points.
//!
//! What is sent of a fold is one scalar. Write `f_i(X) = e_i(X^2) + X o_i(X^2)`, and `x` for the coordinate that it
//! binds; `f_(i+1) = e_i + x d_i` with `d_i = o_i - e_i`. Fold `i` is checked at `s = r^(2^(i+1))`. From `f_(i+1)(s)`,
//! which the fold after it gives (and the claim, at the end), and `d_i(s)`, which is sent, follow
//! `e_i(s) = f_(i+1)(s) - x d_i(s)` and `o_i(s)`: the remainder of `f_i` by `X^2 - s`, which is what is opened; and its
//! value at `r^(2^i)`, which is what the fold before it needs. So each fold holds by construction, and all that is
//! checked is the openings.
//!
//! A commitment does not say how long its vector is. What is shown of one to more than `2^n` values is that their
//! blocks of `2^n` have the evaluations `y, 0, 0, …` at the point: for a point drawn after the commitment, that all
//! blocks but the first are zero.
//!
//! The statement is absorbed here, the key is not: the caller's transcript starts from parameters that it belongs to.

mod division;
mod error;
mod key;
mod proof;
mod prove;
mod statement;
mod verify;

pub use error::Error;
pub use key::VerifierKey;
pub use proof::Proof;
pub use prove::prove;
pub use statement::Statement;
pub use verify::verify;

/// The most variables an opening may have.
pub const VARIABLES_MAX: usize = 32;

#[cfg(test)]
mod tests;
