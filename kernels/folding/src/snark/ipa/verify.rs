//! The verifier of an inner-product argument.

use halo2curves::CurveAffine;
use halo2curves::ff::{BatchInvert, FromUniformBytes};
use halo2curves::group::Group;
use halo2curves::msm::msm_best;

use super::statement::round_challenge;
use super::{Error, Key, Proof, Statement};
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::transcript::Transcript;

/// Checks that `statement` holds, in one multi-scalar multiplication of as many points as the vectors are long.
///
/// # Errors
///
/// [`Error::Refused`] when it does not hold; the others for a statement or a proof that is not in shape.
pub fn verify<C: CurveAffine>(
    key: &Key<'_, C>,
    transcript: &mut Transcript,
    statement: &Statement<'_, C>,
    proof: &Proof<C>,
) -> Result<(), Error>
where
    C::ScalarExt: FromUniformBytes<64>,
{
    let combined = statement.combine(transcript, key)?;
    let rounds = statement.rounds();
    if proof.left.len() != rounds || proof.right.len() != rounds {
        return Err(Error::ProofLength { left: proof.left.len(), right: proof.right.len(), rounds });
    }
    if !proof.left.iter().chain(&proof.right).all(|point| bool::from(point.is_on_curve())) {
        return Err(Error::OffCurve);
    }
    let challenges = proof
        .left
        .iter()
        .zip(&proof.right)
        .map(|(left, right)| round_challenge(transcript, left, right))
        .collect::<Result<Vec<_>, _>>()?;
    transcript.absorb_scalar(b"inner-product last", &proof.last);
    let mut inverses = challenges.clone();
    inverses.iter_mut().batch_invert();

    // last · G' + last · b' · U - (C + c U + Σ x L + x^-1 R) = 0, where G' and b' are combinations of the key and of b.
    let combination = ProductPolynomial::powers(&challenges).table();
    let b_last: C::ScalarExt = combination.iter().zip(statement.b).map(|(s, b)| *s * b).sum();
    let mut scalars: Vec<C::ScalarExt> = combination.iter().map(|s| proof.last * s).collect();
    let mut points = key.generators[..scalars.len()].to_vec();
    scalars.push(combined.base * (proof.last * b_last - combined.product));
    points.push(key.base);
    scalars.extend(combined.factors.iter().map(|factor| -*factor));
    points.extend_from_slice(statement.commitments);
    scalars.extend(challenges.iter().chain(&inverses).map(|x| -*x));
    points.extend(proof.left.iter().chain(&proof.right));
    if bool::from(msm_best(&scalars, &points).is_identity()) { Ok(()) } else { Err(Error::Refused) }
}
