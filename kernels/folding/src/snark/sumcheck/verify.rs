//! The verifier of a sum-check.

use halo2curves::ff::FromUniformBytes;

use super::claim::{combine, rounds_and_degree};
use super::prove::power_of_two;
use super::univariate::{decompress, evaluate};
use super::{Claim, Error, Proof, Reduced};
use crate::snark::transcript::Transcript;

/// Follows the rounds of `proof` for all `claims`. They hold if what is returned does: the caller checks it with
/// [`Reduced::check`].
///
/// # Errors
///
/// [`Error`] for claims that are none or too large, and for a proof of another degree or length.
pub fn verify<F: FromUniformBytes<64>>(
    transcript: &mut Transcript,
    claims: &[Claim<F>],
    proof: &Proof<F>,
) -> Result<Reduced<F>, Error> {
    let (rounds, degree) = rounds_and_degree(claims)?;
    if proof.degree != degree {
        return Err(Error::ProofDegree { found: proof.degree, expected: degree });
    }
    if proof.coefficients.len() != rounds * degree {
        return Err(Error::ProofLength { found: proof.coefficients.len(), expected: rounds * degree });
    }
    let coefficients = combine(transcript, claims);
    let scaled = |claim: &Claim<F>| claim.sum * power_of_two::<F>(rounds - claim.variables);
    let mut value: F = claims.iter().zip(&coefficients).map(|(claim, factor)| scaled(claim) * factor).sum();
    let mut point = Vec::with_capacity(rounds);
    for message in proof.coefficients.chunks_exact(degree) {
        transcript.absorb_scalars(b"sum-check round", message);
        let r = transcript.challenge(b"sum-check point");
        value = evaluate(&decompress(message, &value), &r);
        point.push(r);
    }
    Ok(Reduced { point, value, coefficients })
}
