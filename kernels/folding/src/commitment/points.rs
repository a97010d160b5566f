//! Points as canonical bytes: `x` and `y`, little-endian, each below the field's modulus.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::Curve;

/// The length of a point in bytes.
pub(super) const POINT_LEN: usize = 64;

/// How many points are turned to or from bytes at a time.
pub(super) const CHUNK_LEN: usize = 1 << 14;

/// The canonical bytes of points, one after the other.
pub(super) fn to_bytes<C: Curve>(points: &[C]) -> Vec<u8> {
    let mut bytes = vec![0; points.len() * POINT_LEN];
    bytes.par_chunks_mut(POINT_LEN).zip(points).with_min_len(256).for_each(|(bytes, point)| {
        let (x, y) = point.xy();
        let (x_bytes, y_bytes) = bytes.split_at_mut(POINT_LEN / 2);
        x_bytes.copy_from_slice(x.to_repr().as_ref());
        y_bytes.copy_from_slice(y.to_repr().as_ref());
    });
    bytes
}

/// The points that canonical bytes encode; or which is the first that is none. The identity is refused too.
pub(super) fn from_bytes<C: Curve>(bytes: &[u8]) -> Result<Vec<C>, usize> {
    let point = |(index, bytes): (usize, &[u8])| {
        let (x, y) = bytes.split_at(POINT_LEN / 2);
        let point = coordinate(x).zip(coordinate(y)).map(|(x, y)| C::from_known_xy(x, y));
        point.filter(is_proper).ok_or(index)
    };
    let points: Vec<_> = bytes.par_chunks(POINT_LEN).enumerate().with_min_len(256).map(point).collect();
    points.into_iter().collect()
}

/// Whether a point is on the curve, and not the identity.
pub(super) fn is_proper<C: Curve>(point: &C) -> bool {
    bool::from(point.is_on_curve()) && !bool::from(point.is_identity())
}

/// SHA-256 over the canonical bytes of points.
pub(super) fn digest<C: Curve>(points: &[C]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for chunk in points.chunks(CHUNK_LEN) {
        hash.update(to_bytes(chunk));
    }
    hash.finalize().into()
}

fn coordinate<F: PrimeField>(bytes: &[u8]) -> Option<F> {
    let mut repr = F::Repr::default();
    repr.as_mut().copy_from_slice(bytes);
    F::from_repr(repr).into()
}
