//! Instances and accumulators as elements of the primary circuit's field, which its oracle hashes.

use halo2curves::CurveAffine;

use super::hashing::{HashedInstance, HashedPrimary, HashedSecondary};
use crate::gadgets::{LimbParameters, pack_limbs};
use crate::relation::Instance;
use crate::{cross_term, protogalaxy};

/// The affine coordinates; those of the identity are `(0, 0)`, which is on neither curve.
pub(super) fn coordinates<C: CurveAffine>(point: &C) -> [C::Base; 2] {
    let coordinates = Option::<halo2curves::Coordinates<C>>::from(point.coordinates());
    coordinates.map_or([C::Base::default(); 2], |coordinates| [*coordinates.x(), *coordinates.y()])
}

/// How many elements a point of the primary curve is packed into.
pub(super) fn packed_point_len<C: CurveAffine>(limbs: LimbParameters) -> usize {
    2 * pack_limbs::<C::ScalarExt, C::Base>(&C::Base::default(), limbs).len()
}

/// An instance on the primary curve: its scalars are native, its points are not.
pub(super) fn primary_instance<C: CurveAffine>(
    instance: &Instance<C>,
    limbs: LimbParameters,
) -> HashedInstance<C::ScalarExt> {
    let packed = |point| coordinates(point).into_iter().flat_map(|value| pack_limbs(&value, limbs));
    HashedInstance {
        commitments: instance.commitments.iter().flat_map(packed).collect(),
        publics: instance.publics.clone(),
        challenges: instance.challenges.clone(),
    }
}

/// An instance on the secondary curve: its points are native, its scalars are not.
pub(super) fn secondary_instance<C: CurveAffine>(
    instance: &Instance<C>,
    limbs: LimbParameters,
) -> HashedInstance<C::Base> {
    HashedInstance {
        commitments: instance.commitments.iter().flat_map(coordinates).collect(),
        publics: pack(&instance.publics, limbs),
        challenges: pack(&instance.challenges, limbs),
    }
}

/// Scalars of the secondary curve, packed.
pub(super) fn pack<N, F>(scalars: &[N], limbs: LimbParameters) -> Vec<F>
where
    N: halo2curves::ff::PrimeField,
    F: halo2curves::ff::PrimeField,
{
    scalars.iter().flat_map(|scalar| pack_limbs(scalar, limbs)).collect()
}

/// The primary accumulator.
pub(super) fn primary<C: CurveAffine>(
    accumulator: &protogalaxy::Accumulator<C>,
    limbs: LimbParameters,
) -> HashedPrimary<C::ScalarExt> {
    HashedPrimary {
        instance: primary_instance(&accumulator.instance, limbs),
        betas: accumulator.betas.clone(),
        error: accumulator.error,
    }
}

/// The secondary accumulator.
pub(super) fn secondary<C: CurveAffine>(
    accumulator: &cross_term::Accumulator<C>,
    limbs: LimbParameters,
) -> HashedSecondary<C::Base> {
    HashedSecondary {
        instance: secondary_instance(&accumulator.instance, limbs),
        scale: pack_limbs(&accumulator.scale, limbs),
        error: coordinates(&accumulator.error).to_vec(),
    }
}
