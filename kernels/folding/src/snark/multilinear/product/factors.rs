//! Product polynomials of any factors.

use super::ProductPolynomial;

impl<F> ProductPolynomial<F> {
    /// The product of these factors, a pair `[a_i, b_i]` a variable.
    pub fn from_factors(factors: Vec<[F; 2]>) -> Self {
        Self { factors }
    }
}
