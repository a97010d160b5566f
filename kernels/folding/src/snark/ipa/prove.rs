//! The prover of an inner-product argument.

use halo2curves::ff::{Field, FromUniformBytes};
use halo2curves::group::Curve as _;

use super::fold_key::fold_key;
use super::statement::round_challenge;
use super::{Error, Key, Proof, Statement};
use crate::acceleration::msm;
use crate::commitment::Curve;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::transcript::Transcript;

/// Rounds after which the key is folded. Until then a round's sums have more points than it needs; but folding by four at
/// once takes half of the doublings of halving twice.
const FOLDED_AT_ONCE: usize = 2;

/// Proves the inner products of `vectors`, which may end early, in zeros. A statement that does not hold gives a proof
/// that is refused.
///
/// # Errors
///
/// [`Error`] for a statement that has no argument: of another number of vectors, of longer ones, of points off the
/// curve; and for a key shorter than `b`.
pub fn prove<C: Curve>(
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
    let mut pending = Vec::with_capacity(FOLDED_AT_ONCE);
    while a.len() > 1 {
        let (a_low, a_high) = a.split_at(a.len() / 2);
        let (b_low, b_high) = b.split_at(b.len() / 2);
        let blocks = Blocks { generators: &generators, weights: ProductPolynomial::powers(&pending).table() };
        let (left, right) = rayon::join(
            || (blocks.commit_high(a_low) + base * inner_product(a_low, b_high)).to_affine(),
            || (blocks.commit_low(a_high) + base * inner_product(a_high, b_low)).to_affine(),
        );
        let x = round_challenge(transcript, &left, &right)?;
        let x_inverse = Option::<C::ScalarExt>::from(x.invert()).ok_or(Error::Challenge)?;
        proof.left.push(left);
        proof.right.push(right);
        halve(&mut a, &x_inverse);
        halve(&mut b, &x);
        pending.push(x);
        // The last point of the key is the verifier's business.
        if pending.len() == FOLDED_AT_ONCE && a.len() > 1 {
            generators = fold_key(&generators, &ProductPolynomial::powers(&pending).table());
            pending.clear();
        }
    }
    proof.last = a[0];
    transcript.absorb_scalar(b"inner-product last", &proof.last);
    Ok(proof)
}

/// A key that is yet to be folded: its blocks, each times its weight, sum to the key of the round.
struct Blocks<'a, C: Curve> {
    generators: &'a [C],
    weights: Vec<C::ScalarExt>,
}

impl<C: Curve> Blocks<'_, C> {
    /// The commitment to `a` under the first half of the round's key.
    fn commit_low(&self, a: &[C::ScalarExt]) -> C::CurveExt {
        self.commit(a, |block| &block[..a.len()])
    }

    /// The commitment to `a` under the second half of the round's key.
    fn commit_high(&self, a: &[C::ScalarExt]) -> C::CurveExt {
        self.commit(a, |block| &block[a.len()..])
    }

    fn commit(&self, a: &[C::ScalarExt], half: impl Fn(&[C]) -> &[C]) -> C::CurveExt {
        let blocks = self.generators.chunks(2 * a.len());
        let points: Vec<C> = blocks.flat_map(half).copied().collect();
        let scalars: Vec<_> = self.weights.iter().flat_map(|weight| a.iter().map(|a| *weight * a)).collect();
        msm(&scalars, &points)
    }
}

fn inner_product<F: Field>(a: &[F], b: &[F]) -> F {
    a.iter().zip(b).map(|(a, b)| *a * b).sum()
}

/// `lo_i + x · hi_i`, in place.
fn halve<F: Field>(values: &mut Vec<F>, x: &F) {
    let half = values.len() / 2;
    let (low, high) = values.split_at_mut(half);
    low.iter_mut().zip(high).for_each(|(low, high)| *low += *x * *high);
    values.truncate(half);
}
