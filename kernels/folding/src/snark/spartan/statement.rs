//! What is claimed, and what it comes down to.

use halo2curves::ff::PrimeField;

use super::shape::{Shape, expect};
use super::weight::GroupWeight;
use super::{Error, Proof};
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::sumcheck::Claim;

/// The claim `Σ_i w(i) f_i(z) = e`, or `Σ_i w(i) (f_i(z) - E(i)) = e` for a shape with errors.
#[derive(Clone, Debug)]
pub struct Statement<'a, F> {
    /// `w`: a variable a bit of a constraint's number, the highest first.
    pub weight: ProductPolynomial<F>,
    /// The first entries of `z`: the constant, public inputs and challenges.
    pub public: &'a [F],
    /// `e`.
    pub sum: F,
}

/// What is left to show: that the committed vectors, padded with zeros, have these values at the point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluations<F> {
    /// The point, first variable first.
    pub point: Vec<F>,
    /// The value of each round, then that of the errors.
    pub values: Vec<F>,
}

impl<F: PrimeField> Statement<'_, F> {
    /// Compares all lengths.
    pub(super) fn check(&self, shape: &Shape<'_, F>) -> Result<(), Error> {
        expect("variables of the weight", shape.number_variables(), self.weight.variables())?;
        expect("public entries", shape.public(), self.public.len())
    }

    /// The claim over rows: the sum of all groups, and what padding adds.
    pub(super) fn row_claim(
        &self,
        shape: &Shape<'_, F>,
        weights: &[GroupWeight<F>],
        errors: &[F],
    ) -> Claim<F> {
        let padding: F = shape.groups.iter().zip(weights).map(|(group, weight)| weight.padding(group)).sum();
        Claim {
            variables: shape.row_variables(),
            degree: shape.groups.iter().map(|group| group.degree + 1).max().unwrap_or(1),
            sum: self.sum + errors.iter().sum::<F>() + padding,
        }
    }

    /// The claim over columns: values that were sent, less what fixed inputs add to them, and the sum of the errors, combined.
    pub(super) fn column_claim(
        shape: &Shape<'_, F>,
        errors: &[F],
        inputs: &[F],
        powers: &[F],
        fixed: F,
    ) -> Claim<F> {
        let sum: F = inputs.iter().chain(errors).zip(powers).map(|(value, power)| *value * power).sum();
        Claim { variables: shape.column_variables(), degree: 2, sum: sum - fixed }
    }
}

impl<F: PrimeField> Proof<F> {
    /// Compares all lengths but those of the sum-checks, which compare theirs.
    pub(super) fn check(&self, shape: &Shape<'_, F>) -> Result<(), Error> {
        expect("sums of errors", usize::from(shape.errors), self.errors.len())?;
        expect("values of inputs", shape.inputs(), self.inputs.len())?;
        expect("evaluations", shape.evaluations(), self.evaluations.len())
    }
}
