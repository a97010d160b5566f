//! The verifier of an inner-product argument.

use halo2curves::CurveAffine;
use halo2curves::ff::{BatchInvert, FromUniformBytes};
use halo2curves::group::Group;

use super::statement::{Combined, round_challenge};
use super::{Error, Key, Proof, Statement};
use crate::acceleration::msm;
use crate::commitment::Curve;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::transcript::Transcript;

/// Checks that `statement` holds, in one multi-scalar multiplication of as many points as the vectors are long.
///
/// # Errors
///
/// [`Error::Refused`] when it does not hold; the others for a statement or a proof that is not in shape.
pub fn verify<C: Curve>(
    key: &Key<'_, C>,
    transcript: &mut Transcript,
    statement: &Statement<'_, C>,
    proof: &Proof<C>,
) -> Result<(), Error>
where
    C::ScalarExt: FromUniformBytes<64>,
{
    let Challenges { combined, rounds: challenges } = Challenges::follow(key, transcript, statement, proof)?;
    let mut inverses = challenges.clone();
    inverses.iter_mut().batch_invert();

    // last · G' + last · b' · U - (C + c U + Σ x L + x^-1 R) = 0, where G' and b' are combinations of the key and of b.
    let combination = ProductPolynomial::powers(&challenges).table();
    let b_last: C::ScalarExt = combination.iter().zip(statement.b).map(|(s, b)| *s * b).sum();
    let generators = combination.iter().map(|s| proof.last * s).zip(key.generators.iter().copied());
    let base = [(combined.base * (proof.last * b_last - combined.product), key.base)];
    let commitments =
        combined.factors.iter().map(|factor| -*factor).zip(statement.commitments.iter().copied());
    let points = proof.left.iter().chain(&proof.right).copied();
    let rounds = challenges.iter().chain(&inverses).map(|x| -*x).zip(points);
    let (scalars, points): (Vec<_>, Vec<C>) = generators.chain(base).chain(commitments).chain(rounds).unzip();
    if bool::from(msm(&scalars, &points).is_identity()) { Ok(()) } else { Err(Error::Refused) }
}

/// All that a verifier draws. Each depends on all that was sent before it.
pub(super) struct Challenges<F> {
    /// Drawn after the statement.
    pub(super) combined: Combined<F>,
    /// One a round, drawn after its two points.
    pub(super) rounds: Vec<F>,
}

impl<F: FromUniformBytes<64>> Challenges<F> {
    /// Checks the shape of statement and proof, absorbs both, and draws.
    pub(super) fn follow<C: CurveAffine<ScalarExt = F>>(
        key: &Key<'_, C>,
        transcript: &mut Transcript,
        statement: &Statement<'_, C>,
        proof: &Proof<C>,
    ) -> Result<Self, Error> {
        let combined = statement.combine(transcript, key)?;
        let rounds = statement.rounds();
        if proof.left.len() != rounds || proof.right.len() != rounds {
            return Err(Error::ProofLength { left: proof.left.len(), right: proof.right.len(), rounds });
        }
        if !proof.left.iter().chain(&proof.right).all(|point| bool::from(point.is_on_curve())) {
            return Err(Error::OffCurve);
        }
        let points = proof.left.iter().zip(&proof.right);
        let rounds =
            points.map(|(left, right)| round_challenge(transcript, left, right)).collect::<Result<_, _>>()?;
        transcript.absorb_scalar(b"inner-product last", &proof.last);
        Ok(Self { combined, rounds })
    }
}
