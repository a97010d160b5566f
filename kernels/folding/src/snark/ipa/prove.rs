//! The prover of an inner-product argument.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field, FromUniformBytes};
use halo2curves::group::Curve;
use halo2curves::msm::msm_best;

use super::fold_key::fold_key;
use super::statement::round_challenge;
use super::{Error, Key, Proof, Statement};
use crate::snark::transcript::Transcript;

/// Proves the inner products of `vectors`, which may end early, in zeros. A statement that does not hold gives a proof
/// that is refused.
///
/// # Errors
///
/// [`Error`] for a statement that has no argument: of another number of vectors, of longer ones, of points off the
/// curve; and for a key shorter than `b`.
pub fn prove<C: CurveAffine>(
    key: &Key<'_, C>,
    transcript: &mut Transcript,
    statement: &Statement<'_, C>,
    vectors: &[&[C::ScalarExt]],
) -> Result<Proof<C>, Error>
where
    C::ScalarExt: FromUniformBytes<64>,
{
    if vectors.len() != statement.commitments.len() {
        return Err(Error::Claims { commitments: statement.commitments.len(), found: vectors.len() });
    }
    let combined = statement.combine(transcript, key)?;
    let length = statement.b.len();
    if let Some(long) = vectors.iter().find(|vector| vector.len() > length) {
        return Err(Error::VectorLength { found: long.len(), most: length });
    }
    let base: C = (key.base * combined.base).to_affine();
    let mut a = vec![C::ScalarExt::ZERO; length];
    for (vector, factor) in vectors.iter().zip(&combined.factors) {
        a.iter_mut().zip(*vector).for_each(|(sum, element)| *sum += *factor * element);
    }
    let mut b = statement.b.to_vec();
    let mut generators = key.generators[..length].to_vec();
    let rounds = statement.rounds();
    let mut proof = Proof { left: Vec::with_capacity(rounds), right: Vec::with_capacity(rounds), last: a[0] };
    while a.len() > 1 {
        let half = a.len() / 2;
        let (a_low, a_high) = a.split_at(half);
        let (b_low, b_high) = b.split_at(half);
        let (generators_low, generators_high) = generators.split_at(half);
        let (left, right) = rayon::join(
            || cross(a_low, b_high, generators_high, &base),
            || cross(a_high, b_low, generators_low, &base),
        );
        let x = round_challenge(transcript, &left, &right)?;
        let x_inverse = Option::<C::ScalarExt>::from(x.invert()).ok_or(Error::Challenge)?;
        proof.left.push(left);
        proof.right.push(right);
        halve(&mut a, &x_inverse);
        halve(&mut b, &x);
        // The last point of the key is the verifier's business.
        if half > 1 {
            generators = fold_key(&generators, &x);
        }
    }
    proof.last = a[0];
    transcript.absorb_scalar(b"inner-product last", &proof.last);
    Ok(proof)
}

/// `⟨a, G⟩ + ⟨a, b⟩ U`.
fn cross<C: CurveAffine>(a: &[C::ScalarExt], b: &[C::ScalarExt], generators: &[C], base: &C) -> C {
    let product: C::ScalarExt = a.iter().zip(b).map(|(a, b)| *a * b).sum();
    (msm_best(a, generators) + *base * product).to_affine()
}

/// `lo_i + x · hi_i`, in place.
fn halve<F: Field>(values: &mut Vec<F>, x: &F) {
    let half = values.len() / 2;
    let (low, high) = values.split_at_mut(half);
    low.iter_mut().zip(high).for_each(|(low, high)| *low += *x * *high);
    values.truncate(half);
}
