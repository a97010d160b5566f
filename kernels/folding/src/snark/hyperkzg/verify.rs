//! The verifier of an opening.

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fr, multi_miller_loop};
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use halo2curves::pairing::MillerLoopResult;

use super::statement::{powers, squares};
use super::{Error, Proof, Statement, VerifierKey};
use crate::acceleration::msm;
use crate::snark::transcript::Transcript;

/// Checks that `statement` holds: one multi-scalar multiplication of `n` points and the commitments, and one product
/// of two pairings.
///
/// # Errors
///
/// [`Error::Refused`] when it does not hold; the others for a statement or a proof that is not in shape.
pub fn verify(
    key: &VerifierKey,
    transcript: &mut Transcript,
    statement: &Statement<'_>,
    proof: &Proof,
) -> Result<(), Error> {
    let challenges = Challenges::follow(transcript, statement, proof)?;
    let squares = squares(challenges.fold_point, statement.point.len());
    let scales = scales(challenges.batch, &squares, challenges.batch_point)?;
    let remainders = remainders(statement, &challenges, &proof.differences, &squares);
    let (factors, z) = (&challenges.factors, challenges.batch_point);
    let constant: Fr =
        remainders.iter().zip(&scales).map(|([even, odd], scale)| scale * (even + odd * z)).sum();

    // Q - Σ scale_i (f_i - remainder_i(z)), which is zero at z, and so a multiple of X - z with quotient W:
    // e(that + z W, [1]_2) = e(W, [τ]_2).
    let folds = scales[1..].iter().map(|scale| -scale).zip(proof.folds.iter().copied());
    let rest = [(Fr::ONE, proof.quotient), (z, proof.witness), (constant, key.g1)];
    let commitments =
        factors.iter().map(|factor| -(scales[0] * factor)).zip(statement.commitments.iter().copied());
    let (scalars, points): (Vec<_>, Vec<_>) = commitments.chain(folds).chain(rest).unzip();
    let left = msm(&scalars, &points).to_affine();
    let product = multi_miller_loop(&[(&left, &key.g2), (&-proof.witness, &key.tau_g2)]);
    if bool::from(product.final_exponentiation().is_identity()) { Ok(()) } else { Err(Error::Refused) }
}

/// All that a verifier draws, in the order of drawing. Each depends on all that was sent before it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Challenges {
    /// Combine the claims: drawn after the statement.
    pub(super) factors: Vec<Fr>,
    /// Where folds are checked: drawn after their commitments.
    pub(super) fold_point: Fr,
    /// Combines the openings: drawn after the values that they open to.
    pub(super) batch: Fr,
    /// Where the batch is checked: drawn after its quotient.
    pub(super) batch_point: Fr,
}

impl Challenges {
    /// Checks the shape of statement and proof, absorbs both, and draws.
    pub(super) fn follow(
        transcript: &mut Transcript,
        statement: &Statement<'_>,
        proof: &Proof,
    ) -> Result<Self, Error> {
        let factors = statement.combine(transcript)?;
        let variables = statement.point.len();
        if proof.differences.len() != variables || proof.folds.len() + 1 != variables {
            let (folds, differences) = (proof.folds.len(), proof.differences.len());
            return Err(Error::ProofLength { folds, differences, variables });
        }
        let mut points = proof.folds.iter().chain([&proof.quotient, &proof.witness]);
        if !points.all(|point| bool::from(point.is_on_curve())) {
            return Err(Error::OffCurve);
        }
        transcript.absorb_points(b"hyperkzg folds", &proof.folds);
        let fold_point = transcript.challenge(b"hyperkzg fold point");
        transcript.absorb_scalars(b"hyperkzg differences", &proof.differences);
        let batch = transcript.challenge(b"hyperkzg batch");
        transcript.absorb_point(b"hyperkzg quotient", &proof.quotient);
        let batch_point = transcript.challenge(b"hyperkzg batch point");
        transcript.absorb_point(b"hyperkzg witness", &proof.witness);
        Ok(Self { factors, fold_point, batch, batch_point })
    }
}

/// The factor of each polynomial in the batch at `z`: its power of `batch`, over the value at `z` of `X^2 - s` by which it is
/// divided.
pub(super) fn scales(batch: Fr, squares: &[Fr], z: Fr) -> Result<Vec<Fr>, Error> {
    let z_square = z.square();
    powers(batch, squares.len())
        .iter()
        .zip(squares)
        .map(|(weight, square)| {
            Option::<Fr>::from((z_square - square).invert())
                .map(|inverse| inverse * weight)
                .ok_or(Error::Challenge)
        })
        .collect()
}

/// The remainder `[e, o]` of each polynomial by `X^2 - s`, from the claim back to the first.
fn remainders(
    statement: &Statement<'_>,
    challenges: &Challenges,
    differences: &[Fr],
    squares: &[Fr],
) -> Vec<[Fr; 2]> {
    let mut value = statement.combined_evaluation(&challenges.factors);
    let mut remainders = vec![[Fr::ZERO; 2]; differences.len()];
    // The last fold binds the first variable.
    for (i, x) in (0..differences.len()).rev().zip(statement.point) {
        let even = value - x * differences[i];
        let odd = even + differences[i];
        remainders[i] = [even, odd];
        let at = if i == 0 { challenges.fold_point } else { squares[i - 1] };
        value = even + odd * at;
    }
    remainders
}
