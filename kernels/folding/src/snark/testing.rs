//! What tests of this module share: random values, and ways to spoil a proof.

use std::fmt::Debug;

use halo2curves::CurveAffine;
use halo2curves::ff::Field;
use halo2curves::group::{Curve as _, Group};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::encoding;
use crate::commitment::Curve;

pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(crate) fn random_scalars<F: Field>(rng: &mut ChaCha20Rng, count: usize) -> Vec<F> {
    (0..count).map(|_| F::random(&mut *rng)).collect()
}

pub(crate) fn random_points<C: CurveAffine>(rng: &mut ChaCha20Rng, count: usize) -> Vec<C> {
    (0..count).map(|_| C::CurveExt::random(&mut *rng).to_affine()).collect()
}

/// Every encoding that differs from `bytes` in one bit.
pub(crate) fn bit_flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..8 * bytes.len()).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}

/// A pair of coordinates that is on no curve of this module.
pub(crate) fn off_curve<C: Curve>() -> C {
    let point = C::from_known_xy(C::Base::ONE, C::Base::ONE);
    assert!(!bool::from(point.is_on_curve()));
    point
}

/// Asserts that no bytes that differ in one bit are those of a proof which is accepted.
#[track_caller]
pub(crate) fn assert_no_flip_is_accepted<P>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<P, encoding::Error>,
    is_accepted: impl Fn(&P) -> bool,
) {
    for (bit, flipped) in bit_flips(bytes).enumerate() {
        if let Ok(proof) = read(&flipped) {
            assert!(!is_accepted(&proof), "bit {bit}");
        }
    }
}

/// Asserts that bytes are read only if none is missing at their end, and none is added.
#[track_caller]
pub(crate) fn assert_only_complete_bytes_are_read<P: Debug + PartialEq>(
    bytes: &[u8],
    read: impl Fn(&[u8]) -> Result<P, encoding::Error>,
) {
    for end in 0..bytes.len() {
        assert_eq!(read(&bytes[..end]), Err(encoding::Error::Truncated));
    }
    assert_eq!(read(&[bytes, &[0]].concat()), Err(encoding::Error::Trailing { bytes: 1 }));
}
