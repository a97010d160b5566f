//! The sums of windows, from those of their buckets.

use std::ops::Range;

use halo2curves::ff::Field;
use halo2curves::group::Group;

use super::affine_sums::{AffineSums, Xy};
use super::buckets::{Entries, bucket_sums};
use super::digits::Signed;
use super::grouping::Grouping;
use crate::commitment::Curve;

/// `Σ digit_i * base_i` over the digits of each of the windows.
pub(super) fn window_sums<C: Curve>(
    terms: &[(u32, Signed)],
    bases: &[C],
    windows: Range<u32>,
    width: u32,
) -> Vec<C::Curve> {
    let buckets = 1u32 << (width - 1);
    let mut entries = Entries::with_capacity(windows.len() * terms.len());
    for (i, window) in (0u32..).zip(windows.clone()) {
        for (place, scalar) in terms {
            entries.push(scalar.digit(window, width), i * buckets, *place);
        }
    }
    weighted_sums::<C>(&bucket_sums(&entries, windows.len() * buckets as usize, bases), windows.len(), width)
}

/// `Σ m * bucket_m` over each of so many sets of buckets.
///
/// A bucket's magnitude is `m = high * 2^low_bits + low`, so the sum is one over highs and one over lows, each of few
/// terms, after the buckets of each high and of each low are summed: cheaper than a running sum over all buckets, as
/// those sums are in affine coordinates too.
pub(super) fn weighted_sums<C: Curve>(sums: &[(u32, Xy<C::Base>)], sets: usize, width: u32) -> Vec<C::Curve> {
    let low_bits = width / 2;
    let (highs, lows) = ((1u32 << (width - 1 - low_bits)) + 1, 1u32 << low_bits);
    let place = |bucket: u32| (bucket >> (width - 1), (bucket & ((1 << (width - 1)) - 1)) + 1);
    let by_high = grouped_sums(sums, sets * highs as usize, |bucket| {
        let (set, magnitude) = place(bucket);
        set * highs + (magnitude >> low_bits)
    });
    let by_low = grouped_sums(sums, sets * lows as usize, |bucket| {
        let (set, magnitude) = place(bucket);
        set * lows + (magnitude & (lows - 1))
    });
    let of_sets = by_high.chunks(highs as usize).zip(by_low.chunks(lows as usize));
    let sum = |(by_high, by_low)| {
        let high = (0..low_bits).fold(running_sum::<C>(by_high), |sum, _| sum.double());
        high + running_sum::<C>(by_low)
    };
    of_sets.map(sum).collect()
}

/// The sum of all points of each group, which the key of their bucket names.
fn grouped_sums<F: Field>(sums: &[(u32, Xy<F>)], groups: usize, key: impl Fn(u32) -> u32) -> Vec<Xy<F>> {
    let keys: Vec<u32> = sums.iter().map(|(bucket, _)| key(*bucket)).collect();
    let sorted = Grouping::new(&keys, 0.., groups);
    let mut affine = AffineSums::new();
    for group in sorted.groups() {
        affine.push_group(group.iter().map(|&i| sums[i as usize].1));
    }
    let mut results = affine.sums().iter();
    let mut sum_of = |group: &[u32]| if group.is_empty() { None } else { results.next().copied() };
    sorted.groups().map(|group| sum_of(group).unwrap_or(Xy::IDENTITY)).collect()
}

/// `Σ i * points[i]`.
fn running_sum<C: Curve>(points: &[Xy<C::Base>]) -> C::Curve {
    let mut running = C::Curve::identity();
    let mut total = C::Curve::identity();
    for point in points.iter().skip(1).rev() {
        if !point.is_identity() {
            running += C::from_known_xy(point.x, point.y);
        }
        total += running;
    }
    total
}
