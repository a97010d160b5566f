//! What a number theoretic transform is over.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::Error;

/// How many elements a thread scales at a time.
const CHUNK_LEN: usize = 1 << 12;

/// Which way a transform goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Coefficients to values.
    Forward,
    /// Values to coefficients.
    Inverse,
}

/// The `2^k`-th roots of 1.
pub(super) struct Domain<F> {
    pub(super) k: u32,
    /// The one that the others are powers of.
    pub(super) omega: F,
}

impl<F: PrimeField> Domain<F> {
    /// The roots for so many elements.
    pub(super) fn new(len: usize) -> Result<Self, Error> {
        let k = len.checked_ilog2().filter(|&k| len.is_power_of_two() && k <= F::S);
        let k = k.ok_or(Error::TransformLen { len, k_max: F::S })?;
        Ok(Self { k, omega: (k..F::S).fold(F::ROOT_OF_UNITY, |root, _| root.square()) })
    }

    pub(super) fn omega_inverse(&self) -> F {
        (self.k..F::S).fold(F::ROOT_OF_UNITY_INV, |root, _| root.square())
    }

    pub(super) fn len_inverse(&self) -> F {
        F::TWO_INV.pow_vartime([u64::from(self.k)])
    }
}

/// Multiplies each element by a factor.
pub(super) fn scale<F: PrimeField>(elements: &mut [F], factor: F) {
    elements
        .par_chunks_mut(CHUNK_LEN)
        .for_each(|chunk| chunk.iter_mut().for_each(|element| *element *= factor));
}
