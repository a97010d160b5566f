//! That a committed vector satisfies a weighted sum of constraints: `Σ_i w(i) f_i(z) = e`.
//!
//! The argument is SuperSpartan's (Setty, Thaler and Wahby, "Customizable constraint systems for succinct arguments",
//! eprint 2023/552, section 4) for a [relation](crate::relation) of several groups, without a preprocessing of its
//! matrices: the verifier evaluates them, with one multiplication a non-zero entry. It ends in evaluations of the
//! committed rounds at one point, for whoever opens commitments.
//!
//! 1. **Rows.** The numbers of a polynomial's constraints are an aligned block, and `w` is a product over the bits of
//!    the number; so a group's part of the sum is `Σ_row w(row) g(row)`, where `w(row)` is the product over the row's
//!    bits, and `g` the sum of the group's polynomials, each times the weight of its block. The rows of all groups are
//!    one behind the other, the inputs of each in the same columns, and
//!    [one sum-check](crate::snark::sumcheck::prove_blocks) over all of them comes down to the value of each column at a
//!    random row: as many as the group with the most inputs has, and not as many as all groups.
//! 2. **Columns.** Such a value is `Σ_i M(row, i) z(i)` for the column's matrix `M`, and what fixed inputs add, which the
//!    verifier computes. The values are sent, and combined by powers of a challenge into one sum-check over the vector.
//!    The vector is cut into what is public and the rounds, each padded with zeros to the same power of two, so that
//!    every round is evaluated at the same point. A commitment may hold values beyond the length of its round; no
//!    matrix reads them.
//!
//! **Padding.** A group's rows are padded to a power of two with inputs that are all 0, fixed ones too, where a
//! polynomial is its constant and need not be 0. Both sides know what that adds: the constants, times the weights of
//! the padding rows, whose sum takes a few multiplications for a product polynomial. So the sum-check is over
//! all rows, its claim is raised by that much, and no indicator of the rows in use raises its degree.
//!
//! **Errors.** The sum may be that of a committed vector instead: `Σ_i w(i) (f_i(z) - E(i)) = e`. Then `Σ_i w(i) E(i)`
//! is sent, and `E` is one more part of the sum-check over columns, whose row is `w`.

mod columns;
mod error;
mod proof;
mod prove;
mod rows;
mod shape;
mod statement;
mod summand;
mod verify;
mod weight;

pub use error::Error;
pub use proof::Proof;
pub use prove::{Witness, prove};
pub use shape::Shape;
pub use statement::{Evaluations, Statement};
pub use verify::verify;

#[cfg(test)]
mod tests;
