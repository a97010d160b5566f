//! What a sum-check starts from, its claim, and what it comes down to, the claim of its last round (Lund, Fortnow, Karloff,
//! Nisan 1992).

use halo2curves::ff::PrimeField;

use super::{DEGREE_MAX, Error, VARIABLES_MAX};
use crate::snark::transcript::Transcript;
use halo2curves::ff::FromUniformBytes;

/// The claim that a polynomial of degree at most `degree` in each of `variables` variables sums to `sum` over the
/// hypercube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim<F> {
    /// How many variables the sum has, at most [`VARIABLES_MAX`].
    pub variables: usize,
    /// The degree in each variable, the weight's 1 counted in; 1 to [`DEGREE_MAX`].
    pub degree: usize,
    /// What it sums to.
    pub sum: F,
}

/// What is left to check after the rounds: at `point`, the combination of the summands is `value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduced<F> {
    /// One coordinate a round, first variable first.
    pub point: Vec<F>,
    /// What `Σ_j coefficients[j] · summand_j` has to be there.
    pub value: F,
    /// The factor of each sum, in their order.
    pub coefficients: Vec<F>,
}

impl<F: PrimeField> Reduced<F> {
    /// The point of a sum in `variables` variables: the last coordinates.
    pub fn point_of(&self, variables: usize) -> &[F] {
        &self.point[self.point.len().saturating_sub(variables)..]
    }

    /// Checks the value of each summand, weight included, at its point.
    ///
    /// # Errors
    ///
    /// [`Error::FinalValues`] unless there is one value for each sum, [`Error::Refused`] unless they combine to what
    /// the rounds came down to.
    pub fn check(&self, values: &[F]) -> Result<(), Error> {
        if values.len() != self.coefficients.len() {
            return Err(Error::FinalValues { found: values.len(), expected: self.coefficients.len() });
        }
        let combined: F = self.coefficients.iter().zip(values).map(|(c, value)| *c * value).sum();
        if combined == self.value { Ok(()) } else { Err(Error::Refused) }
    }
}

/// The rounds that a set of claims takes, and the degree of their polynomials.
pub(super) fn rounds_and_degree<F>(claims: &[Claim<F>]) -> Result<(usize, usize), Error> {
    let variables = claims.iter().map(|claim| claim.variables).max().ok_or(Error::NoSums)?;
    if variables > VARIABLES_MAX {
        return Err(Error::Variables { found: variables, most: VARIABLES_MAX });
    }
    let out_of_bounds = |claim: &&Claim<F>| !(1..=DEGREE_MAX).contains(&claim.degree);
    if let Some(claim) = claims.iter().find(out_of_bounds) {
        return Err(Error::Degree { found: claim.degree, most: DEGREE_MAX });
    }
    Ok((variables, claims.iter().map(|claim| claim.degree).max().unwrap_or(1)))
}

/// Absorbs the claims and draws the factors that combine them: 1 and the powers of a challenge.
pub(super) fn combine<F: FromUniformBytes<64>>(transcript: &mut Transcript, claims: &[Claim<F>]) -> Vec<F> {
    for claim in claims {
        let shape = [claim.variables as u64, claim.degree as u64].map(u64::to_le_bytes).concat();
        transcript.absorb_bytes(b"sum-check shape", &shape);
        transcript.absorb_scalar(b"sum-check sum", &claim.sum);
    }
    let challenge = transcript.challenge::<F>(b"sum-check combination");
    core::iter::successors(Some(F::ONE), |power| Some(*power * challenge)).take(claims.len()).collect()
}
