//! The verifier of an opening.

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fr, G1Affine, multi_miller_loop};
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use halo2curves::msm::msm_best;
use halo2curves::pairing::MillerLoopResult;

use super::statement::{powers, squares};
use super::{Error, Proof, Statement, VerifierKey};
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
    let r = transcript.challenge(b"hyperkzg fold point");
    transcript.absorb_scalars(b"hyperkzg differences", &proof.differences);
    let weights = powers(transcript.challenge(b"hyperkzg batch"), variables);
    transcript.absorb_point(b"hyperkzg quotient", &proof.quotient);
    let z: Fr = transcript.challenge(b"hyperkzg batch point");
    transcript.absorb_point(b"hyperkzg witness", &proof.witness);

    let squares = squares(r, variables);
    let scales = scales(&weights, &squares, z)?;
    let remainders = remainders(statement, &factors, &proof.differences, r, &squares);
    let constant: Fr =
        remainders.iter().zip(&scales).map(|([even, odd], scale)| scale * (even + odd * z)).sum();

    // Q - Σ scale_i (f_i - remainder_i(z)), which is zero at z, and so a multiple of X - z with quotient W:
    // e(that + z W, [1]_2) = e(W, [τ]_2).
    let mut scalars: Vec<Fr> = factors.iter().map(|factor| -(scales[0] * factor)).collect();
    scalars.extend(scales[1..].iter().map(|scale| -scale));
    scalars.extend([Fr::ONE, z, constant]);
    let mut points = statement.commitments.to_vec();
    points.extend_from_slice(&proof.folds);
    points.extend([proof.quotient, proof.witness, key.g1]);
    let left: G1Affine = msm_best(&scalars, &points).to_affine();
    let product = multi_miller_loop(&[(&left, &key.g2), (&-proof.witness, &key.tau_g2)]);
    if bool::from(product.final_exponentiation().is_identity()) { Ok(()) } else { Err(Error::Refused) }
}

/// The factor of each polynomial in the batch at `z`: its weight, over the value at `z` of `X^2 - s` by which it is
/// divided.
pub(super) fn scales(weights: &[Fr], squares: &[Fr], z: Fr) -> Result<Vec<Fr>, Error> {
    let z_square = z.square();
    weights
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
    factors: &[Fr],
    differences: &[Fr],
    r: Fr,
    squares: &[Fr],
) -> Vec<[Fr; 2]> {
    let mut value = statement.combined_evaluation(factors);
    let mut remainders = vec![[Fr::ZERO; 2]; differences.len()];
    // The last fold binds the first variable.
    for (i, x) in (0..differences.len()).rev().zip(statement.point) {
        let even = value - x * differences[i];
        let odd = even + differences[i];
        remainders[i] = [even, odd];
        let at = if i == 0 { r } else { squares[i - 1] };
        value = even + odd * at;
    }
    remainders
}
