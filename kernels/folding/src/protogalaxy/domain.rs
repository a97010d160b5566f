//! The points at which the combiner meets its vectors: `X = 0` for the accumulator, `X = 1..=L` for what is folded in.
//!
//! The paper takes a subgroup of roots of unity; consecutive integers serve any `L`, and let the prover go from one
//! point to the next by additions alone.

use halo2curves::ff::PrimeField;

use crate::polynomial::lagrange_at;

/// The points `0, 1, .., L`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    incoming: usize,
}

impl Domain {
    /// The domain for this many incoming vectors, at least 1.
    #[must_use]
    pub fn new(incoming: usize) -> Self {
        debug_assert!(incoming > 0, "something has to come in");
        Self { incoming }
    }

    /// How many vectors are folded in: the paper's `k`, this crate's `L`.
    #[must_use]
    pub fn incoming(self) -> usize {
        self.incoming
    }

    /// How many coefficients the quotient `K` has for a relation of this degree: `d L - L`.
    #[must_use]
    pub fn quotient_len(self, degree: usize) -> usize {
        degree.saturating_sub(1) * self.incoming
    }

    /// The Lagrange polynomials of the domain at a point: `L_0(x), .., L_L(x)`.
    #[must_use]
    pub fn lagrange<F: PrimeField>(self, x: F) -> Vec<F> {
        lagrange_at(self.incoming + 1, x)
    }

    /// The vanishing polynomial `x (x - 1) .. (x - L)`.
    #[must_use]
    pub fn vanishing<F: PrimeField>(self, x: F) -> F {
        (1..=self.incoming as u64).fold(x, |product, point| product * (x - F::from(point)))
    }
}
