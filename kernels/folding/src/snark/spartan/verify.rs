//! The verifier.

use halo2curves::ff::FromUniformBytes;

use super::rows::{RowWeights, combined_value};
use super::shape::{GroupShape, Shape};
use super::statement::{Evaluations, Statement};
use super::summand::Constraints;
use super::weight::GroupWeight;
use super::{Error, Proof, columns};
use crate::snark::multilinear;
use crate::snark::sumcheck::{self, Reduced};
use crate::snark::transcript::Transcript;

/// Follows a proof. The statement holds if the committed vectors have the evaluations that are returned. The transcript
/// must have absorbed the relation, the commitments, and all that the statement is made of.
///
/// # Errors
/// [`Error::Rows`] and [`Error::Columns`] when a sum-check is refused, [`Error::Length`] for a statement or a proof
/// that is not of the relation's shape.
pub fn verify<F: FromUniformBytes<64>>(
    transcript: &mut Transcript,
    shape: &Shape<'_, F>,
    statement: &Statement<'_, F>,
    proof: &Proof<F>,
) -> Result<Evaluations<F>, Error> {
    statement.check(shape)?;
    proof.check(shape)?;

    let weights: Vec<_> =
        shape.groups.iter().map(|group| GroupWeight::new(group, &statement.weight)).collect();
    let claim = statement.row_claim(shape, &weights, &proof.errors);
    let rows = sumcheck::verify(transcript, &[claim], &proof.rows).map_err(Error::Rows)?;
    let row_weights = RowWeights::new(shape, &rows);
    rows.check(&[row_value(shape, &weights, &rows, &row_weights, &proof.inputs)]).map_err(Error::Rows)?;

    let powers = input_factors(transcript, shape, &proof.inputs);
    let fixed = row_weights.fixed(shape, &powers);
    let claim = Statement::column_claim(shape, &proof.errors, &proof.inputs, &powers, fixed);
    let columns = sumcheck::verify(transcript, &[claim], &proof.columns).map_err(Error::Columns)?;
    let value = column_value(shape, statement, &columns, &row_weights, &powers, &proof.evaluations);
    columns.check(&[value]).map_err(Error::Columns)?;
    transcript.absorb_scalars(b"spartan evaluations", &proof.evaluations);
    Ok(Evaluations { point: columns.point, values: proof.evaluations.clone() })
}

/// Absorbs the values that were sent, and draws what combines them: powers of a challenge, from 1 on, the last of them
/// for the errors.
pub(super) fn input_factors<F: FromUniformBytes<64>>(
    transcript: &mut Transcript,
    shape: &Shape<'_, F>,
    sent: &[F],
) -> Vec<F> {
    transcript.absorb_scalars(b"spartan inputs", sent);
    let challenge: F = transcript.challenge(b"spartan combination");
    let powers = core::iter::successors(Some(F::ONE), |power| Some(*power * challenge));
    powers.take(sent.len() + usize::from(shape.errors)).collect()
}

/// What the sum over rows has to come down to: for each group, its polynomials' value for the columns, times the weight of
/// its rows and the value of its selector.
fn row_value<F: FromUniformBytes<64>>(
    shape: &Shape<'_, F>,
    weights: &[GroupWeight<F>],
    rows: &Reduced<F>,
    row_weights: &RowWeights<F>,
    inputs: &[F],
) -> F {
    let value = |((group, weight), selector): ((&GroupShape<'_, F>, &GroupWeight<F>), &F)| {
        let mut registers = vec![F::ZERO; group.group.program().registers()];
        let constraints = Constraints::new(group, weight).value(inputs, &mut registers);
        weight.rows.evaluate(&rows.point) * selector * constraints
    };
    shape.groups.iter().zip(weights).zip(row_weights.groups()).map(value).sum()
}

/// What the sum over columns has to come down to: for each part of the vector, the value of the combined matrices' row
/// times that of the part.
fn column_value<F: FromUniformBytes<64>>(
    shape: &Shape<'_, F>,
    statement: &Statement<'_, F>,
    columns: &Reduced<F>,
    row_weights: &RowWeights<F>,
    powers: &[F],
    evaluations: &[F],
) -> F {
    let mut values = vec![multilinear::evaluate(statement.public, &columns.point)];
    values.extend_from_slice(evaluations);
    let entries = columns::entry_weights(shape, &columns.point, &values);
    let of_vector = combined_value(&row_weights.reading(shape, powers), &entries);
    let of_errors = match (shape.errors, evaluations.last(), powers.last()) {
        (true, Some(errors), Some(power)) => {
            // The weight has its own variables; it is padded with zeros in the others.
            let (above, own) = columns.point.split_at(columns.point.len() - shape.number_variables());
            let padding: F = above.iter().map(|x| F::ONE - x).product();
            *power * padding * statement.weight.evaluate(own) * errors
        }
        _ => F::ZERO,
    };
    of_vector + of_errors
}
