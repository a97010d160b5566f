//! A weight while its variables are bound, in tables of a square root of its size.

use halo2curves::ff::PrimeField;

use crate::snark::multilinear::ProductPolynomial;

/// A product polynomial of which the first `round` variables are bound.
///
/// The variables fall into a first and a last half. For each half there are the tables of all its ends: the values of
/// the product of the last `j` factors, for each `j`. So the product of all factors behind the current one is the
/// product of an entry of an outer table and one of an inner table, without a table of all rows.
pub(super) struct RunningWeight<'a, F> {
    polynomial: &'a ProductPolynomial<F>,
    split: usize,
    outer: Vec<F>,
    inner: Vec<F>,
    round: usize,
    /// The product of the bound factors.
    bound: F,
}

impl<'a, F: PrimeField> RunningWeight<'a, F> {
    pub(super) fn new(polynomial: &'a ProductPolynomial<F>) -> Self {
        let split = polynomial.variables() / 2;
        let (first, last) = polynomial.factors().split_at(split);
        Self {
            polynomial,
            split,
            outer: tables_of_ends(first),
            inner: tables_of_ends(last),
            round: 0,
            bound: F::ONE,
        }
    }

    /// The product of the bound factors.
    pub(super) fn bound(&self) -> F {
        self.bound
    }

    /// The values at 0 and 1 of the factor of the current variable, times the bound factors.
    pub(super) fn current(&self) -> [F; 2] {
        let [a, b] = self.polynomial.factors()[self.round];
        [self.bound * a, self.bound * b]
    }

    /// Values `(outer, inner)` of the product of the factors behind the current one: at row `i` it is
    /// `outer[i / inner.len()] * inner[i % inner.len()]`.
    pub(super) fn rest(&self) -> (&[F], &[F]) {
        let left = self.polynomial.variables() - self.round - 1;
        let inner = left.min(self.polynomial.variables() - self.split);
        (table_of_end(&self.outer, left - inner), table_of_end(&self.inner, inner))
    }

    pub(super) fn bind(&mut self, r: &F) {
        let [a, b] = self.current();
        self.bound = a + *r * (b - a);
        self.round += 1;
    }
}

/// The tables of the last 0, 1, 2, … factors, one after the other: `2^(j+1) - 1` entries of `j` factors.
fn tables_of_ends<F: PrimeField>(factors: &[[F; 2]]) -> Vec<F> {
    let mut tables = Vec::with_capacity((2 << factors.len()) - 1);
    tables.push(F::ONE);
    for (j, factor) in factors.iter().rev().enumerate() {
        let start = (1 << j) - 1;
        for side in factor {
            for i in start..start + (1 << j) {
                tables.push(tables[i] * side);
            }
        }
    }
    tables
}

fn table_of_end<F>(tables: &[F], factors: usize) -> &[F] {
    &tables[(1 << factors) - 1..(2 << factors) - 1]
}
