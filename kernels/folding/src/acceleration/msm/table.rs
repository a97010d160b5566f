//! Sums over bases whose multiples were computed before.

use halo2curves::ff::PrimeField;
use halo2curves::group::{Curve as _, Group};
use rayon::prelude::*;

use super::buckets::{Entries, bucket_sums};
use super::digits::Signed;
use super::signed_terms;
use super::width::{digits, table_width};
use super::window::weighted_sums;
use crate::commitment::Curve;

/// How many bases a thread takes the multiples of at a time.
const CHUNK_LEN: usize = 512;

/// For each base `P` and window `w`, the point `2^(w * width) P`, so that all windows share one set of buckets: there
/// is one weighted sum instead of one a window, and windows can be wider.
#[derive(Debug)]
pub(in crate::acceleration) struct Table<C> {
    /// The multiples of the first window, then those of the next.
    multiples: Vec<C>,
    len: usize,
    width: u32,
}

impl<C: Curve> Table<C> {
    pub(in crate::acceleration) fn new(bases: &[C]) -> Self {
        let width = table_width(bases.len());
        let mut multiples = bases.to_vec();
        for _ in 1..windows::<C>(width) {
            let mut next = vec![C::identity(); bases.len()];
            let last = &multiples[multiples.len() - bases.len()..];
            next.par_chunks_mut(CHUNK_LEN).zip(last.par_chunks(CHUNK_LEN)).for_each(|(next, last)| {
                let shifted = |point: &C| (0..width).fold(point.to_curve(), |point, _| point.double());
                let shifted: Vec<C::Curve> = last.iter().map(shifted).collect();
                C::Curve::batch_normalize(&shifted, next);
            });
            multiples.extend(next);
        }
        Self { multiples, len: bases.len(), width }
    }

    /// The number of bases.
    pub(in crate::acceleration) fn len(&self) -> usize {
        self.len
    }

    /// `Σ scalars[i] * bases[offset + i]`; the bases reach that far.
    pub(in crate::acceleration) fn msm(&self, offset: usize, scalars: &[C::Scalar]) -> C::Curve {
        let (terms, _) = signed_terms(scalars, &self.multiples[offset..self.len]);
        let of_thread = terms.len().div_ceil(rayon::current_num_threads()).max(CHUNK_LEN);
        terms.par_chunks(of_thread).map(|terms| self.sum(offset as u32, terms)).sum()
    }

    fn sum(&self, offset: u32, terms: &[(u32, Signed)]) -> C::Curve {
        let mut entries = Entries::with_capacity(2 * terms.len());
        for (place, scalar) in terms {
            for window in 0..digits(scalar.bits() as usize, self.width) {
                let digit = scalar.digit(window, self.width);
                entries.push(digit, 0, window * self.len as u32 + offset + place);
            }
        }
        let sums = bucket_sums(&entries, 1 << (self.width - 1), &self.multiples);
        weighted_sums::<C>(&sums, 1, self.width).into_iter().sum()
    }
}

/// The number of windows of the longest scalar's magnitude, which is below half of the modulus.
fn windows<C: Curve>(width: u32) -> u32 {
    digits(C::Scalar::NUM_BITS as usize - 1, width)
}
