//! The prover.

use halo2curves::ff::FromUniformBytes;
use rayon::prelude::*;

use super::rows::{self, RowWeights};
use super::shape::{Shape, expect};
use super::statement::{Evaluations, Statement};
use super::summand::{Constraints, InnerProduct};
use super::verify::input_factors;
use super::weight::GroupWeight;
use super::{Error, Proof, columns};
use crate::snark::sumcheck::{self, Block, Instance, Summand as _, Table};
use crate::snark::transcript::Transcript;

/// What is committed to, and the public part with it.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'a, F> {
    /// All of `z`.
    pub z: &'a [F],
    /// `E`, by numbers of constraints; empty for a shape without errors.
    pub errors: &'a [F],
}

/// Proves a statement. The transcript must have absorbed the relation, the commitments, and all that the statement is
/// made of. One that does not hold gives a proof that is refused.
///
/// # Errors
/// [`Error`] for lengths that are not the relation's, and for relations beyond the sum-check's limits.
pub fn prove<F: FromUniformBytes<64>>(
    transcript: &mut Transcript,
    shape: &Shape<'_, F>,
    statement: &Statement<'_, F>,
    witness: &Witness<'_, F>,
) -> Result<(Proof<F>, Evaluations<F>), Error> {
    statement.check(shape)?;
    expect("entries of the vector", shape.relation.layout().len(), witness.z.len())?;
    expect("errors", if shape.errors { shape.relation.numbers() } else { 0 }, witness.errors.len())?;

    let weights: Vec<_> =
        shape.groups.iter().map(|group| GroupWeight::new(group, &statement.weight)).collect();
    let summands: Vec<_> =
        shape.groups.iter().zip(&weights).map(|(group, weight)| Constraints::new(group, weight)).collect();
    let tables = shape.groups.iter().map(|group| rows::table(group, witness.z));
    let tables = tables.collect::<Result<Vec<_>, _>>().map_err(Error::Rows)?;
    let number_weights = if shape.errors { statement.weight.table() } else { Vec::new() };
    let weighted = |(error, weight): (&F, &F)| *error * weight;
    let error_sum = witness.errors.iter().zip(&number_weights).map(weighted).sum();
    let error_sums = if shape.errors { vec![error_sum] } else { Vec::new() };

    let claim = statement.row_claim(shape, &weights, &error_sums);
    // That of the first group follows from the others.
    let others: Vec<F> = (1..tables.len()).map(|i| sum(&tables[i], &weights[i], &summands[i])).collect();
    let first = claim.sum - others.iter().sum::<F>();
    let sums = core::iter::once(first).chain(others);
    let blocks = shape.groups.iter().zip(tables).zip(&summands).zip(&weights).zip(sums);
    let blocks = blocks.map(|((((group, table), summand), weight), sum)| Block {
        first: group.row,
        instance: Instance { sum, weight: Some(&weight.rows), table, summand },
    });
    let over_rows =
        sumcheck::prove_blocks(transcript, claim.variables, blocks.collect()).map_err(Error::Rows)?;
    let inputs = over_rows.columns;

    let powers = input_factors(transcript, shape, &inputs);
    let row_weights = RowWeights::new(shape, &over_rows.reduced);
    let fixed = row_weights.fixed(shape, &powers);
    let claim = Statement::column_claim(shape, &error_sums, &inputs, &powers, fixed);
    let combined = columns::combined_row(shape, &row_weights.reading(shape, &powers));
    // The weight's own factor is the last power.
    let number_weights: Vec<F> = number_weights.iter().map(|weight| *weight * powers[inputs.len()]).collect();
    let errors = shape.errors.then_some((number_weights.as_slice(), witness.errors));
    let table = columns::table(shape, &combined, witness.z, errors).map_err(Error::Columns)?;
    let instance = Instance { sum: claim.sum, weight: None, table, summand: &InnerProduct };
    let over_columns = sumcheck::prove(transcript, vec![instance]).map_err(Error::Columns)?;
    // Pairs of a matrix' value and a vector's, of which the first is public.
    let values = over_columns.inputs.concat();
    let evaluations: Vec<F> = values.iter().skip(3).step_by(2).copied().collect();
    transcript.absorb_scalars(b"spartan evaluations", &evaluations);

    let proof = Proof {
        errors: error_sums,
        rows: over_rows.proof,
        inputs,
        columns: over_columns.proof,
        evaluations: evaluations.clone(),
    };
    Ok((proof, Evaluations { point: over_columns.reduced.point, values: evaluations }))
}

/// The sum of a group over its padded rows.
fn sum<F: FromUniformBytes<64>>(
    table: &Table<F>,
    weight: &GroupWeight<F>,
    summand: &Constraints<'_, F>,
) -> F {
    let rows = table.values().par_chunks_exact(table.width());
    rows.zip(weight.rows.table())
        .with_min_len(256)
        .map_init(
            || vec![F::ZERO; summand.scratch()],
            |scratch, (inputs, weight)| weight * summand.value(inputs, scratch),
        )
        .sum()
}
