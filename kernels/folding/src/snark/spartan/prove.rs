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
use crate::snark::sumcheck::{self, Instance, Summand as _, Table};
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
    let mut sums: Vec<F> = (1..tables.len()).map(|i| sum(&tables[i], &weights[i], &summands[i])).collect();
    let number_weights = if shape.errors { statement.weight.table() } else { Vec::new() };
    if shape.errors {
        sums.push(witness.errors.iter().zip(&number_weights).map(|(error, weight)| *error * weight).sum());
    }

    let claims = statement.claims(shape, &weights, &sums);
    let instances = tables.into_iter().zip(&summands).zip(&weights).zip(&claims);
    let instances = instances.map(|(((table, summand), weight), claim)| Instance {
        sum: claim.sum,
        weight: Some(&weight.rows),
        table,
        summand,
    });
    let over_rows = sumcheck::prove(transcript, instances.collect()).map_err(Error::Rows)?;
    let of_group = shape.groups.iter().zip(&over_rows.inputs);
    let inputs: Vec<F> =
        of_group.flat_map(|(group, values)| group.sent.iter().map(|input| values[*input])).collect();

    let powers = input_factors(transcript, shape, &inputs);
    let claim = Statement::column_claim(shape, &sums, &inputs, &powers);
    let row_weights = RowWeights::new(shape, &over_rows.reduced);
    let combined = columns::combined_row(shape, &row_weights.sent_inputs(shape, &powers));
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
        sums,
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
