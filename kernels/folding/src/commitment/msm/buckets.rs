//! The sums of all buckets of some windows.

use std::ops::Range;

use rayon::prelude::*;

use super::affine_sums::{AffineSums, Xy};
use super::digits::Signed;
use super::grouping::{Grouping, NO_GROUP};
use crate::commitment::Curve;

/// How many points one thread sums at a time: what they take fits a processor's second cache.
const BLOCK_LEN: usize = 2048;

/// A base that a bucket takes: twice its place, and one more to take it negated.
type Entry = u32;

/// A run of entries of one bucket.
struct Run<'a> {
    bucket: u32,
    entries: &'a [Entry],
}

/// The sums of buckets that are not the identity, in the order of buckets; a long bucket may have several.
///
/// Bucket `i * 2^(width - 1) + m` takes the bases whose digit has magnitude `m + 1`, in the `i`-th of the windows.
pub(super) fn bucket_sums<C: Curve>(
    scalars: &[(u32, Signed)],
    bases: &[C],
    windows: Range<u32>,
    width: u32,
) -> Vec<(u32, Xy<C::Base>)> {
    let sorted = sorted_entries(scalars, windows, width);
    let mut runs = Vec::new();
    for (bucket, entries) in (0u32..).zip(sorted.groups()) {
        runs.extend(entries.chunks(BLOCK_LEN).map(|entries| Run { bucket, entries }));
    }
    blocks(&runs)
        .into_par_iter()
        .map_init(AffineSums::new, |sums, runs| sum_runs(sums, runs, bases))
        .flatten_iter()
        .collect()
}

fn sorted_entries(scalars: &[(u32, Signed)], windows: Range<u32>, width: u32) -> Grouping {
    let buckets = 1 << (width - 1);
    let mut keys = Vec::with_capacity(windows.len() * scalars.len());
    let mut entries = Vec::with_capacity(windows.len() * scalars.len());
    for (i, window) in (0u32..).zip(windows.clone()) {
        for (place, scalar) in scalars {
            let digit = scalar.digit(window, width);
            let magnitude = digit.unsigned_abs();
            keys.push(if magnitude == 0 { NO_GROUP } else { i * buckets + magnitude - 1 });
            entries.push(2 * place + u32::from(digit < 0));
        }
    }
    Grouping::new(&keys, entries.into_iter(), windows.len() * buckets as usize)
}

/// The runs cut to blocks.
fn blocks<'a, 'b>(runs: &'b [Run<'a>]) -> Vec<&'b [Run<'a>]> {
    let mut blocks = Vec::new();
    let (mut start, mut len) = (0, 0);
    for (i, run) in runs.iter().enumerate() {
        if len + run.entries.len() > BLOCK_LEN {
            blocks.push(&runs[start..i]);
            (start, len) = (i, 0);
        }
        len += run.entries.len();
    }
    blocks.push(&runs[start..]);
    blocks
}

fn sum_runs<C: Curve>(
    sums: &mut AffineSums<C::Base>,
    runs: &[Run<'_>],
    bases: &[C],
) -> Vec<(u32, Xy<C::Base>)> {
    sums.clear();
    for run in runs {
        sums.push_group(run.entries.iter().map(|&entry| {
            let (x, y) = bases[(entry / 2) as usize].xy();
            Xy { x, y }.negated_if(entry % 2 == 1)
        }));
    }
    let sums = runs.iter().map(|run| run.bucket).zip(sums.sums().iter().copied());
    sums.filter(|(_, sum)| !sum.is_identity()).collect()
}
