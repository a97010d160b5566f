//! The sums of buckets.

use rayon::prelude::*;

use super::affine_sums::{AffineSums, Xy};
use super::grouping::Grouping;
use crate::commitment::Curve;

/// How many points one thread sums at a time: what they take fits a processor's second cache.
const BLOCK_LEN: usize = 2048;

/// A base that a bucket takes: twice its place, and one more to take it negated.
type Entry = u32;

/// What buckets take, in any order.
pub(super) struct Entries {
    /// The bucket of each entry.
    keys: Vec<u32>,
    entries: Vec<Entry>,
}

impl Entries {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { keys: Vec::with_capacity(capacity), entries: Vec::with_capacity(capacity) }
    }

    /// Puts the base at a place, times the digit's sign, to the bucket of the digit's magnitude `m`, `first + m - 1`;
    /// a digit of 0 has none.
    #[inline]
    pub(super) fn push(&mut self, digit: i32, first: u32, place: u32) {
        if digit != 0 {
            self.keys.push(first + digit.unsigned_abs() - 1);
            self.entries.push(2 * place + u32::from(digit < 0));
        }
    }
}

/// A run of entries of one bucket.
struct Run<'a> {
    bucket: u32,
    entries: &'a [Entry],
}

/// The sums of buckets that are not the identity, in the order of buckets; a long bucket may have several.
pub(super) fn bucket_sums<C: Curve>(
    entries: &Entries,
    buckets: usize,
    bases: &[C],
) -> Vec<(u32, Xy<C::Base>)> {
    let sorted = Grouping::new(&entries.keys, entries.entries.iter().copied(), buckets);
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
