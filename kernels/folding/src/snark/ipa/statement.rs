//! What is claimed: commitments, a vector, and inner products with it.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field, FromUniformBytes};

use super::{Error, Key, ROUNDS_MAX};
use crate::snark::transcript::Transcript;

/// The claim that the vectors behind `commitments` have the inner products `products` with `b`.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: CurveAffine> {
    /// The commitment to each vector.
    pub commitments: &'a [C],
    /// The known vector, a power of two long.
    pub b: &'a [C::ScalarExt],
    /// The inner product of each.
    pub products: &'a [C::ScalarExt],
}

/// A statement whose claims are combined into one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Combined<F> {
    /// The factor of each commitment.
    pub(super) factors: Vec<F>,
    /// The combined inner product.
    pub(super) product: F,
    /// The factor of `U`, drawn after all claims, so that no commitment can contain a part of it.
    pub(super) base: F,
}

impl<C: CurveAffine> Statement<'_, C>
where
    C::ScalarExt: FromUniformBytes<64>,
{
    /// How often the vectors are halved.
    pub(super) fn rounds(&self) -> usize {
        self.b.len().ilog2() as usize
    }

    /// Checks the shape, absorbs all of it, and draws the factors that combine the claims.
    pub(super) fn combine(
        &self,
        transcript: &mut Transcript,
        key: &Key<'_, C>,
    ) -> Result<Combined<C::ScalarExt>, Error> {
        let (length, commitments) = (self.b.len(), self.commitments.len());
        if !length.is_power_of_two() || length > 1 << ROUNDS_MAX {
            return Err(Error::Length { found: length, rounds_most: ROUNDS_MAX });
        }
        if commitments == 0 || self.products.len() != commitments {
            return Err(Error::Claims { commitments, found: self.products.len() });
        }
        if key.generators.len() < length {
            return Err(Error::KeyLength { found: key.generators.len(), needed: length });
        }
        if !self.commitments.iter().all(|commitment| bool::from(commitment.is_on_curve())) {
            return Err(Error::OffCurve);
        }
        transcript.absorb_points(b"inner-product commitments", self.commitments);
        transcript.absorb_scalars(b"inner-product vector", self.b);
        transcript.absorb_scalars(b"inner-product products", self.products);
        let challenge: C::ScalarExt = transcript.challenge(b"inner-product combination");
        let factors: Vec<_> =
            core::iter::successors(Some(C::ScalarExt::ONE), |power| Some(*power * challenge))
                .take(commitments)
                .collect();
        let product = self.products.iter().zip(&factors).map(|(product, factor)| *product * factor).sum();
        Ok(Combined { factors, product, base: transcript.challenge(b"inner-product base") })
    }
}

/// Absorbs a round's points and draws its challenge, which is not zero.
pub(super) fn round_challenge<C: CurveAffine>(
    transcript: &mut Transcript,
    left: &C,
    right: &C,
) -> Result<C::ScalarExt, Error>
where
    C::ScalarExt: FromUniformBytes<64>,
{
    transcript.absorb_point(b"inner-product left", left);
    transcript.absorb_point(b"inner-product right", right);
    let x: C::ScalarExt = transcript.challenge(b"inner-product round");
    if bool::from(x.is_zero()) { Err(Error::Challenge) } else { Ok(x) }
}
