//! What is computed with, the same in each run.

use halo2curves::{
    bn256::{Fr, G1, G1Affine},
    ff::Field,
    group::Curve,
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};

fn random() -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(4)
}

pub(crate) fn scalars(n: usize) -> Vec<Fr> {
    let mut random = random();
    (0..n).map(|_| Fr::random(&mut random)).collect()
}

/// Points that differ, on a line.
pub(crate) fn points(n: usize) -> Vec<G1Affine> {
    let mut random = random();
    let mut next = || G1Affine::generator() * Fr::random(&mut random);
    let (start, step) = (next(), next().to_affine());
    let line: Vec<G1> = std::iter::successors(Some(start), |&point| Some(point + step)).take(n).collect();
    let mut points = vec![G1Affine::default(); n];
    G1::batch_normalize(&line, &mut points);
    points
}

/// A lookup's column and its table: the numbers below 2^16, as range checks have them.
pub(crate) fn lookup(n: usize) -> (Vec<Fr>, Vec<Fr>) {
    let mut random = random();
    let numbers = n.min(1 << 16) as u64;
    let table = (0..n as u64).map(|i| Fr::from(i % numbers)).collect();
    ((0..n).map(|_| Fr::from(random.next_u64() % numbers)).collect(), table)
}
