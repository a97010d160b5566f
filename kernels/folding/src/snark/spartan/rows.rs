//! The values of inputs on the rows of a group, and at a random row.

use std::collections::BTreeMap;

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::shape::{GroupShape, Shape};
use crate::relation::Input;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::sumcheck::{Error, Reduced, Table, block_selector};

/// Rows that one thread takes at a time, some 100 µs of work.
const ROWS: usize = 1 << 10;

/// The inputs of each row side by side, and zeros up to a power of two of rows.
pub(super) fn table<F: PrimeField>(shape: &GroupShape<'_, F>, z: &[F]) -> Result<Table<F>, Error> {
    let inputs = shape.group.inputs();
    let mut values = vec![F::ZERO; inputs.len() << shape.variables];
    let (in_use, _) = values.split_at_mut(inputs.len() * shape.group.rows());
    in_use.par_chunks_mut(inputs.len() * ROWS).enumerate().for_each(|(chunk, rows)| {
        for (row, values) in rows.chunks_exact_mut(inputs.len()).enumerate() {
            for (value, input) in values.iter_mut().zip(inputs) {
                *value = input.value(chunk * ROWS + row, z);
            }
        }
    });
    Table::new(values, inputs.len())
}

/// The values of `eq(r, row)` for all rows of all groups, as products: of a value for a row among those of its group, in one
/// table for groups of one size, and of one for the group.
pub(super) struct RowWeights<F> {
    rows: BTreeMap<usize, Vec<F>>,
    groups: Vec<F>,
}

impl<F: PrimeField> RowWeights<F> {
    pub(super) fn new(shape: &Shape<'_, F>, reduced: &Reduced<F>) -> Self {
        let mut rows = BTreeMap::new();
        for group in &shape.groups {
            let table = || ProductPolynomial::eq(&reduced.point[..group.variables]).table();
            rows.entry(group.variables).or_insert_with(table);
        }
        let selector = |group: &GroupShape<'_, F>| block_selector(&reduced.point, group.variables, group.row);
        Self { rows, groups: shape.groups.iter().map(selector).collect() }
    }

    /// The value of each group's selector.
    pub(super) fn groups(&self) -> &[F] {
        &self.groups
    }

    /// All inputs, each with the factor of its column times the group's.
    fn inputs<'a>(
        &'a self,
        shape: &'a Shape<'_, F>,
        factors: &'a [F],
    ) -> impl Iterator<Item = WeightedInput<'a, F>> {
        shape.groups.iter().zip(&self.groups).flat_map(move |(group, selector)| {
            let weights = &self.rows[&group.variables][..group.group.rows()];
            let inputs = group.group.inputs().iter().zip(factors);
            inputs.map(move |(input, factor)| (input, weights, *factor * selector))
        })
    }

    /// The inputs that read the vector.
    pub(super) fn reading<'a>(
        &'a self,
        shape: &'a Shape<'_, F>,
        factors: &'a [F],
    ) -> Vec<WeightedInput<'a, F>> {
        self.inputs(shape, factors).filter(|(input, ..)| !input.is_fixed()).collect()
    }

    /// What fixed inputs add to the combination of all columns.
    pub(super) fn fixed(&self, shape: &Shape<'_, F>, factors: &[F]) -> F {
        let fixed: Vec<_> = self.inputs(shape, factors).filter(|(input, ..)| input.is_fixed()).collect();
        combined_value(&fixed, &[])
    }
}

/// An input, the weights of its rows, and its factor in a combination.
pub(super) type WeightedInput<'a, F> = (&'a Input<F>, &'a [F], F);

/// The combination of inputs at a random row, as for the vector `z`: `Σ factor · M(r, ·) z`.
///
/// One multiplication a non-zero entry of `M`, and one more where it is not 1.
pub(super) fn combined_value<F: PrimeField>(inputs: &[WeightedInput<'_, F>], z: &[F]) -> F {
    let chunks = inputs.par_iter().flat_map_iter(|(input, weights, factor)| {
        weights.chunks(ROWS).enumerate().map(move |(chunk, weights)| (*input, chunk * ROWS, weights, *factor))
    });
    chunks.map(|(input, first, weights, factor)| factor * value_at(input, first, weights, z)).sum()
}

/// `Σ_row weights[row] · input(first + row)`.
fn value_at<F: PrimeField>(input: &Input<F>, first: usize, weights: &[F], z: &[F]) -> F {
    let rows = first..first + weights.len();
    match input {
        Input::Cell(cells) => {
            cells[rows].iter().zip(weights).map(|(cell, weight)| z[*cell as usize] * weight).sum()
        }
        Input::Linear(combinations) => {
            rows.zip(weights).map(|(row, weight)| combinations.product(row, z) * weight).sum()
        }
        Input::Fixed(values) => values[rows].iter().zip(weights).map(|(value, weight)| *value * weight).sum(),
    }
}
