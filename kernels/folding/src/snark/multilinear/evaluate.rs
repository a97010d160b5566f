//! The value of a multilinear polynomial at a point.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::{PARALLEL_CHUNK, ProductPolynomial};

/// The value at `point` of the polynomial whose values on the hypercube are `values`, and zeros where they end early.
/// Values beyond `2^point.len()` are ignored.
///
/// One multiplication a value: the weights of the last half of the variables are a table that is read for each value
/// of the others.
pub fn evaluate<F: PrimeField>(values: &[F], point: &[F]) -> F {
    let (first, last) = point.split_at(point.len() / 2);
    let (outer, inner) = (ProductPolynomial::eq(first).table(), ProductPolynomial::eq(last).table());
    let row = |(row, weight): (&[F], &F)| {
        *weight * row.iter().zip(&inner).map(|(value, weight)| *value * weight).sum::<F>()
    };
    if values.len() <= PARALLEL_CHUNK {
        values.chunks(inner.len()).zip(&outer).map(row).sum()
    } else {
        let rows_at_least = PARALLEL_CHUNK.div_ceil(inner.len());
        values.par_chunks(inner.len()).zip(&outer).with_min_len(rows_at_least).map(row).sum()
    }
}
