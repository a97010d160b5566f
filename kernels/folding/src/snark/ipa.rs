//! Inner products of committed vectors, under a transparent key.
//!
//! That a vector `a`, committed as `C = Σ_i a_i G_i`, has `⟨a, b⟩ = c` for a known `b`: the argument of Bootle et al.
//! (eprint 2016/263) in the form of Bünz et al. (Bulletproofs, eprint 2017/1066, section 3). Each round halves the
//! vectors: with `L = ⟨a_lo, G_hi⟩ + ⟨a_lo, b_hi⟩ U`, `R = ⟨a_hi, G_lo⟩ + ⟨a_hi, b_lo⟩ U` and a challenge `x`,
//!
//! ```text
//! a' = a_lo + x^-1 a_hi,   b' = b_lo + x b_hi,   G' = G_lo + x G_hi,   P' = P + x L + x^-1 R
//! ```
//!
//! keep `P = ⟨a, G⟩ + ⟨a, b⟩ U`. So the key costs one multiplication a point and round, and in the end `G'` is the
//! combination of the key by the values of a product polynomial, which the verifier takes in one multi-scalar
//! multiplication. With `b` the values of `eq` at a point, this opens multilinear polynomials. No vector is hidden.
//!
//! The statement is absorbed here, all of `b` included; the key is not: the caller's transcript starts from parameters
//! that it belongs to.

mod error;
mod fold_key;
mod key;
mod proof;
mod prove;
mod statement;
mod verify;

pub use error::Error;
pub use key::Key;
pub use proof::Proof;
pub use prove::prove;
pub use statement::Statement;
pub use verify::verify;

/// The most rounds an argument may have: the logarithm of the vectors' length.
pub const ROUNDS_MAX: usize = 24;

#[cfg(test)]
mod tests;
