//! Polynomials that are a product of one linear factor a variable.

mod factors;

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::PARALLEL_CHUNK;

/// `Π_i (a_i (1 - x_i) + b_i x_i)`: the weights of a sum-check. Its value at bits is a product of an `a_i` or a `b_i`
/// for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProductPolynomial<F> {
    factors: Vec<[F; 2]>,
}

impl<F: PrimeField> ProductPolynomial<F> {
    /// `eq(point, x)`: on the hypercube, 1 where `x = point` and else 0, extended to all of the field.
    pub fn eq(point: &[F]) -> Self {
        Self { factors: point.iter().map(|x| [F::ONE - x, *x]).collect() }
    }

    /// `Π_i (1 + x_i (β_i - 1))`: at bits, the product of the `β_i` that they pick. With `β = (b^(2^(k-1)), …, b^2, b)`
    /// the value at index `j` is `b^j`.
    pub fn powers(betas: &[F]) -> Self {
        Self { factors: betas.iter().map(|beta| [F::ONE, *beta]).collect() }
    }

    /// How many variables it has.
    pub fn variables(&self) -> usize {
        self.factors.len()
    }

    /// The pair `[a_i, b_i]` of each variable.
    pub fn factors(&self) -> &[[F; 2]] {
        &self.factors
    }

    /// The value at `point`, which has as many coordinates as the polynomial has variables (surplus ones are ignored).
    pub fn evaluate(&self, point: &[F]) -> F {
        self.factors.iter().zip(point).fold(F::ONE, |product, ([a, b], x)| product * (*a + *x * (*b - a)))
    }

    /// All `2^k` values, with one multiplication for each (two, where `a_i` is not 1).
    pub fn table(&self) -> Vec<F> {
        let mut table = vec![F::ONE; 1 << self.factors.len()];
        for (bit, factor) in self.factors.iter().rev().enumerate() {
            let (zeros, ones) = table[..2 << bit].split_at_mut(1 << bit);
            if zeros.len() <= PARALLEL_CHUNK {
                extend(zeros, ones, factor);
            } else {
                zeros
                    .par_chunks_mut(PARALLEL_CHUNK)
                    .zip(ones.par_chunks_mut(PARALLEL_CHUNK))
                    .for_each(|(zeros, ones)| extend(zeros, ones, factor));
            }
        }
        table
    }
}

/// From the products of later variables to those with this one: `zeros` holds them at first.
fn extend<F: PrimeField>(zeros: &mut [F], ones: &mut [F], [a, b]: &[F; 2]) {
    if *a == F::ONE {
        for (zero, one) in zeros.iter().zip(ones) {
            *one = *zero * b;
        }
    } else if *a + b == F::ONE {
        for (zero, one) in zeros.iter_mut().zip(ones) {
            *one = *zero * b;
            *zero -= *one;
        }
    } else {
        for (zero, one) in zeros.iter_mut().zip(ones) {
            *one = *zero * b;
            *zero *= a;
        }
    }
}
