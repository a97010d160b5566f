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
    let claims = statement.claims(shape, &weights, &proof.sums);
    let rows = sumcheck::verify(transcript, &claims, &proof.rows).map_err(Error::Rows)?;
    let row_weights = RowWeights::new(shape, &rows);
    let values = group_values(shape, &weights, &rows, &row_weights, statement.public, &proof.inputs);
    rows.check(&values).map_err(Error::Rows)?;

    let powers = input_factors(transcript, shape, &proof.inputs);
    let claim = Statement::column_claim(shape, &proof.sums, &proof.inputs, &powers);
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

/// The value of each group's summand at the random row, weight included.
fn group_values<F: FromUniformBytes<64>>(
    shape: &Shape<'_, F>,
    weights: &[GroupWeight<F>],
    rows: &Reduced<F>,
    row_weights: &RowWeights<F>,
    public: &[F],
    sent: &[F],
) -> Vec<F> {
    let mut sent = sent.iter();
    let value = |(group, weight): (&GroupShape<'_, F>, &GroupWeight<F>)| {
        let mut values: Vec<F> = Vec::with_capacity(group.group.inputs().len());
        for (index, input) in group.group.inputs().iter().enumerate() {
            let value = if group.sent.contains(&index) { sent.next().copied() } else { None };
            values.push(
                value.unwrap_or_else(|| combined_value(&[(input, row_weights.of(group), F::ONE)], public)),
            );
        }
        let mut registers = vec![F::ZERO; group.group.program().registers()];
        let constraints = Constraints::new(group, weight).value(&values, &mut registers);
        weight.rows.evaluate(rows.point_of(group.variables)) * constraints
    };
    shape.groups.iter().zip(weights).map(value).collect()
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
    let of_vector = combined_value(&row_weights.sent_inputs(shape, powers), &entries);
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
