//! Points and scalars that sums are tested with.

use elastic_folding::commitment::Curve;
use halo2curves::ff::PrimeField;
use halo2curves::group::{Curve as _, Group};
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};

/// Points, among them the identity, equal and opposite ones.
pub(crate) fn points<C: Curve>(count: usize, seed: u64) -> Vec<C> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let step = C::Curve::random(&mut rng);
    let mut next = C::Curve::random(&mut rng);
    let mut points: Vec<C> = Vec::with_capacity(count);
    while let Some(last) = (points.len() < count).then(|| points.last().copied().unwrap_or(C::generator())) {
        next += step;
        points.push(match rng.next_u32() % 16 {
            0 => C::identity(),
            1 => last,
            2 => -last,
            _ => next.to_affine(),
        });
    }
    points
}

/// Vectors of scalars by what is in them: full-width elements; what witnesses have, and the ends of the range; bits; zeros.
pub(crate) fn scalars<F: PrimeField>(count: usize, seed: u64) -> [(&'static str, Vec<F>); 4] {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let full_width = (0..count).map(|_| F::random(&mut rng)).collect();
    let mut mixed = || match rng.next_u32() % 10 {
        0 => F::random(&mut rng),
        1 => F::from(rng.next_u64()),
        2 => -F::from(rng.next_u64() % 4),
        3 => F::TWO_INV - F::from(rng.next_u64() % 2),
        4 => F::from(2).pow_vartime([rng.next_u64() % 254]),
        5 => F::ZERO,
        _ => F::from(rng.next_u64() % 65536),
    };
    let mixed = (0..count).map(|_| mixed()).collect();
    let bits = (0..count).map(|_| F::from(rng.next_u64() % 2)).collect();
    [("full width", full_width), ("mixed", mixed), ("bits", bits), ("zeros", vec![F::ZERO; count])]
}
