//! What is claimed: commitments, a point, and the evaluations there.

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::Field;

use super::{Error, VARIABLES_MAX};
use crate::snark::transcript::Transcript;

/// The claim that the polynomials behind `commitments`, in as many variables as `point` has coordinates, have
/// `evaluations` there.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The commitment of each polynomial.
    pub commitments: &'a [G1Affine],
    /// The point, first variable first.
    pub point: &'a [Fr],
    /// The value of each polynomial, padded with zeros to all of the hypercube.
    pub evaluations: &'a [Fr],
}

impl Statement<'_> {
    /// Checks the shape, absorbs all of it, and draws the factors that combine the claims: 1 and powers of a challenge.
    pub(super) fn combine(&self, transcript: &mut Transcript) -> Result<Vec<Fr>, Error> {
        let (variables, commitments) = (self.point.len(), self.commitments.len());
        if !(1..=VARIABLES_MAX).contains(&variables) {
            return Err(Error::Variables { found: variables, most: VARIABLES_MAX });
        }
        if commitments == 0 || self.evaluations.len() != commitments {
            return Err(Error::Claims { commitments, found: self.evaluations.len() });
        }
        if !self.commitments.iter().all(|commitment| bool::from(commitment.is_on_curve())) {
            return Err(Error::OffCurve);
        }
        transcript.absorb_points(b"hyperkzg commitments", self.commitments);
        transcript.absorb_scalars(b"hyperkzg point", self.point);
        transcript.absorb_scalars(b"hyperkzg evaluations", self.evaluations);
        let challenge: Fr = transcript.challenge(b"hyperkzg combination");
        Ok(powers(challenge, commitments))
    }

    /// The value that the combined polynomial is claimed to have.
    pub(super) fn combined_evaluation(&self, factors: &[Fr]) -> Fr {
        self.evaluations.iter().zip(factors).map(|(evaluation, factor)| evaluation * factor).sum()
    }
}

/// `1, x, x^2, …`, `count` of them.
pub(super) fn powers(x: Fr, count: usize) -> Vec<Fr> {
    core::iter::successors(Some(Fr::ONE), |power| Some(power * x)).take(count).collect()
}

/// `r^2, r^4, r^8, …`: where the folds are checked.
pub(super) fn squares(r: Fr, count: usize) -> Vec<Fr> {
    core::iter::successors(Some(r.square()), |square| Some(square.square())).take(count).collect()
}
