//! What tests of this module share: random values, a key of powers of a known tau, and ways to spoil a proof.

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fr, G1, G1Affine, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::hyperkzg::VerifierKey;

pub(crate) fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

pub(crate) fn random_scalars<F: Field>(rng: &mut ChaCha20Rng, count: usize) -> Vec<F> {
    (0..count).map(|_| F::random(&mut *rng)).collect()
}

pub(crate) fn random_points<C: CurveAffine>(rng: &mut ChaCha20Rng, count: usize) -> Vec<C> {
    (0..count).map(|_| C::CurveExt::random(&mut *rng).to_affine()).collect()
}

/// `[1]_1, [τ]_1, …`, and what a verifier needs of it. Whoever knows `tau` can open anything: for tests alone.
pub(crate) fn powers_of_tau(tau: Fr, count: usize) -> (Vec<G1Affine>, VerifierKey) {
    let scalars = core::iter::successors(Some(Fr::ONE), |power| Some(power * tau)).take(count);
    let points: Vec<G1> = scalars.map(|scalar| G1::generator() * scalar).collect();
    let mut powers = vec![G1Affine::default(); count];
    G1::batch_normalize(&points, &mut powers);
    let key = VerifierKey {
        g1: G1Affine::generator(),
        g2: G2Affine::generator(),
        tau_g2: (G2Affine::generator() * tau).to_affine(),
    };
    (powers, key)
}

/// Every encoding that differs from `bytes` in one bit.
pub(crate) fn bit_flips(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..8 * bytes.len()).map(|bit| {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        flipped
    })
}
