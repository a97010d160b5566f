//! What is computed with, the same in each run: made once for the largest size, of which smaller ones take the first.

use halo2curves_axiom::{
    bn256::{Fr, G1, G1Affine},
    ff::Field,
    group::Curve,
};
use rand_chacha::{
    ChaCha8Rng,
    rand_core::{RngCore, SeedableRng},
};
use rayon::prelude::*;

/// Elements that one thread makes at a time.
const PART: usize = 1 << 14;

pub(crate) struct Inputs {
    pub(crate) points: Vec<G1Affine>,
    pub(crate) scalars: Vec<Fr>,
}

impl Inputs {
    /// For these logarithms of sizes.
    pub(crate) fn new(logs: &[u32]) -> Self {
        let n = 1 << logs.iter().max().copied().unwrap_or_default();
        eprintln!("making inputs");
        Self { points: points(n), scalars: scalars(n) }
    }
}

fn random(stream: usize) -> ChaCha8Rng {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    random.set_stream(stream as u64);
    random
}

pub(crate) fn scalars(n: usize) -> Vec<Fr> {
    let mut scalars = vec![Fr::zero(); n];
    scalars.par_chunks_mut(PART).enumerate().for_each(|(at, part)| {
        let mut random = random(at);
        part.fill_with(|| Fr::random(&mut random));
    });
    scalars
}

/// Points that differ, on a line in each part.
fn points(n: usize) -> Vec<G1Affine> {
    let mut points = vec![G1Affine::default(); n];
    points.par_chunks_mut(PART).enumerate().for_each(|(at, part)| {
        let mut random = random(at);
        let mut next = || G1Affine::generator() * Fr::random(&mut random);
        let (start, step) = (next(), next().to_affine());
        let line: Vec<G1> =
            std::iter::successors(Some(start), |&point| Some(point + step)).take(part.len()).collect();
        G1::batch_normalize(&line, part);
    });
    points
}

/// A lookup's column and its table: the numbers below 2^16, as range checks have them.
pub(crate) fn lookup(n: usize) -> (Vec<Fr>, Vec<Fr>) {
    let mut random = random(0);
    let numbers = n.min(1 << 16) as u64;
    let table = (0..n as u64).map(|i| Fr::from(i % numbers)).collect();
    ((0..n).map(|_| Fr::from(random.next_u64() % numbers)).collect(), table)
}
