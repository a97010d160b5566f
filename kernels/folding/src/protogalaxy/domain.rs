//! The points at which the combiner meets its vectors: `X = 0` for the accumulator, `X = 1..=L` for what is folded in.
//!
//! The paper takes a subgroup of roots of unity; consecutive integers serve any `L`, and let the prover go from one
//! point to the next by additions alone.

use halo2curves::ff::PrimeField;

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

/// The Lagrange polynomials of the points `0, .., count - 1`, at `x`.
#[must_use]
pub(super) fn lagrange_at<F: PrimeField>(count: usize, x: F) -> Vec<F> {
    let points = || (0..count as u64).map(F::from);
    let basis = |own: F| {
        let others = || points().filter(move |point| *point != own);
        let numerator: F = others().map(|point| x - point).product();
        let denominator: F = others().map(|point| own - point).product();
        numerator * denominator.invert().expect("differences of distinct points are not 0")
    };
    points().map(basis).collect()
}

/// The coefficients, from the constant on, of the polynomial with these values at `first, first + 1, ..` (Newton's form).
#[must_use]
pub(super) fn interpolate<F: PrimeField>(first: usize, values: &[F]) -> Vec<F> {
    let mut differences = values.to_vec();
    for level in 1..values.len() {
        let inverse = F::from(level as u64).invert().expect("a level is below the field's characteristic");
        for index in (level..values.len()).rev() {
            differences[index] = (differences[index] - differences[index - 1]) * inverse;
        }
    }
    let mut coefficients: Vec<F> = Vec::with_capacity(values.len());
    for (index, difference) in differences.iter().enumerate().rev() {
        // (polynomial so far) * (X - point) + difference
        let point = F::from((first + index) as u64);
        coefficients.insert(0, F::ZERO);
        for position in 1..coefficients.len() {
            let higher = coefficients[position];
            coefficients[position - 1] -= higher * point;
        }
        coefficients[0] += difference;
    }
    coefficients
}

/// The value of a polynomial, given by its coefficients from the constant on.
#[must_use]
pub(super) fn evaluate<F: PrimeField>(coefficients: &[F], x: F) -> F {
    coefficients.iter().rev().fold(F::ZERO, |value, coefficient| value * x + coefficient)
}
