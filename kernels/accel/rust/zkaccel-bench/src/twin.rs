//! arkworks' elements and points of halo2curves': the same limbs in the same form.

use ark_ec::{AffineRepr, CurveGroup};
use ark_ff::BigInt;
use halo2curves::bn256::{Fq, Fr, G1Affine};

pub(crate) fn scalar(element: &Fr) -> ark_bn254::Fr {
    ark_bn254::Fr::new_unchecked(BigInt(element.0))
}

pub(crate) fn scalars(elements: &[Fr]) -> Vec<ark_bn254::Fr> {
    elements.iter().map(scalar).collect()
}

pub(crate) fn back(element: &ark_bn254::Fr) -> Fr {
    Fr(element.0.0)
}

/// A point that is not the identity.
pub(crate) fn point(point: &G1Affine) -> ark_bn254::G1Affine {
    let coordinate = |element: Fq| ark_bn254::Fq::new_unchecked(BigInt(element.0));
    ark_bn254::G1Affine::new_unchecked(coordinate(point.x), coordinate(point.y))
}

/// Its coordinates' limbs.
pub(crate) fn limbs(point: ark_bn254::G1Projective) -> Option<([u64; 4], [u64; 4])> {
    point.into_affine().xy().map(|(x, y)| (x.0.0, y.0.0))
}
