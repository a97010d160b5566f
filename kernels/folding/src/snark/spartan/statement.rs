//! What is claimed, and what it comes down to.

use halo2curves::ff::PrimeField;

use super::shape::{GroupShape, Shape, expect};
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

    /// The sum of each group over its padded rows. That of the first follows from those of the others, and of the errors.
    pub(super) fn claims(
        &self,
        shape: &Shape<'_, F>,
        weights: &[GroupWeight<F>],
        sums: &[F],
    ) -> Vec<Claim<F>> {
        let (others, errors) = sums.split_at(shape.groups.len() - 1);
        let padding: F = shape.groups.iter().zip(weights).map(|(group, weight)| weight.padding(group)).sum();
        let first = self.sum + errors.iter().sum::<F>() + padding - others.iter().sum::<F>();
        let sums = core::iter::once(&first).chain(others);
        let claim = |(group, sum): (&GroupShape<'_, F>, &F)| Claim {
            variables: group.variables,
            degree: group.degree + 1,
            sum: *sum,
        };
        shape.groups.iter().zip(sums).map(claim).collect()
    }

    /// The claim over columns: values that were sent, and the sum of the errors, combined.
    pub(super) fn column_claim(shape: &Shape<'_, F>, proof_sums: &[F], sent: &[F], powers: &[F]) -> Claim<F> {
        let errors = &proof_sums[shape.groups.len() - 1..];
        let sum = sent.iter().chain(errors).zip(powers).map(|(value, power)| *value * power).sum();
        Claim { variables: shape.column_variables(), degree: 2, sum }
    }
}

impl<F: PrimeField> Proof<F> {
    /// Compares all lengths but those of the sum-checks, which compare theirs.
    pub(super) fn check(&self, shape: &Shape<'_, F>) -> Result<(), Error> {
        expect("sums", shape.sums(), self.sums.len())?;
        expect("values of inputs", shape.sent(), self.inputs.len())?;
        expect("evaluations", shape.evaluations(), self.evaluations.len())
    }
}
