//! The entries of the vector, with the row of the matrices by which they are multiplied.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::rows::WeightedInput;
use super::shape::Shape;
use crate::relation::Input;
use crate::snark::multilinear::{PARALLEL_CHUNK, ProductPolynomial};
use crate::snark::sumcheck::{Error, Table};

/// `Σ factor · M(r, ·)` over these inputs: an entry for each of the vector.
pub(super) fn combined_row<F: PrimeField>(shape: &Shape<'_, F>, inputs: &[WeightedInput<'_, F>]) -> Vec<F> {
    let length = shape.relation.layout().len();
    let share = inputs.len().div_ceil(rayon::current_num_threads()).max(1);
    let add_up = |share: &[WeightedInput<'_, F>]| {
        let mut sum = vec![F::ZERO; length];
        for (input, weights, factor) in share {
            add_scaled(&mut sum, input, weights, factor);
        }
        sum
    };
    let add = |mut left: Vec<F>, right: Vec<F>| {
        left.iter_mut().zip(&right).for_each(|(left, right)| *left += right);
        left
    };
    inputs.par_chunks(share).map(add_up).reduce_with(add).unwrap_or_else(|| vec![F::ZERO; length])
}

/// Adds `factor · M(r, ·)`, where `weights` are the values of `eq(r, row)`.
fn add_scaled<F: PrimeField>(sum: &mut [F], input: &Input<F>, weights: &[F], factor: &F) {
    match input {
        Input::Cell(cells) => {
            for (cell, weight) in cells.iter().zip(weights) {
                sum[*cell as usize] += *factor * weight;
            }
        }
        Input::Linear(combinations) => {
            for (row, weight) in weights.iter().enumerate() {
                let scaled = *factor * weight;
                for (cell, coefficient) in combinations.row(row) {
                    sum[cell as usize] += if coefficient == F::ONE { scaled } else { scaled * coefficient };
                }
            }
        }
        Input::Fixed(_) => {}
    }
}

/// Rows of pairs, a pair a part of the vector: the matrices' entry and the vector's. `errors` come last, with `weight`.
pub(super) fn table<F: PrimeField>(
    shape: &Shape<'_, F>,
    combined: &[F],
    z: &[F],
    errors: Option<(&[F], &[F])>,
) -> Result<Table<F>, Error> {
    let parts = shape.parts.iter().map(|part| (&combined[part.clone()], &z[part.clone()]));
    let parts: Vec<_> = parts.chain(errors).collect();
    let width = 2 * parts.len();
    let mut values = vec![F::ZERO; width << shape.column_variables()];
    values.par_chunks_mut(width).enumerate().with_min_len(PARALLEL_CHUNK).for_each(|(index, row)| {
        for (pair, (matrix, vector)) in row.chunks_exact_mut(2).zip(&parts) {
            if let Some(entry) = matrix.get(index) {
                pair[0] = *entry;
            }
            if let Some(entry) = vector.get(index) {
                pair[1] = *entry;
            }
        }
    });
    Table::new(values, width)
}

/// For each entry of the vector, the value at `point` of what is 1 there alone, times the value of its part.
///
/// With these in the place of the vector, the inputs combine to what the sum-check over columns comes down to.
pub(super) fn entry_weights<F: PrimeField>(shape: &Shape<'_, F>, point: &[F], values: &[F]) -> Vec<F> {
    let eq = ProductPolynomial::eq(point).table();
    let mut weights = vec![F::ZERO; shape.relation.layout().len()];
    for (part, value) in shape.parts.iter().zip(values) {
        weights[part.clone()]
            .par_iter_mut()
            .zip(&eq)
            .with_min_len(PARALLEL_CHUNK)
            .for_each(|(weight, eq)| *weight = *value * eq);
    }
    weights
}
