//! What tests of this module share: random values, and ways to spoil a proof.

use halo2curves::CurveAffine;
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

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
