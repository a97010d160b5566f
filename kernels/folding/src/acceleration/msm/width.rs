//! How wide a window to take.

/// The widest window: a window's buckets then stay within a processor's second cache.
const WIDTH_MAX: u32 = 15;

/// What a bucket costs once it is summed, in additions to buckets: it is added to two further sums.
const BUCKET_COST: f64 = 2.2;

/// What a term of a running sum costs, in additions to buckets: two in projective coordinates.
const RUNNING_COST: f64 = 3.5;

/// The width at which a sum over scalars of these lengths is cheapest: `counts[b]` says how many have `b` bits.
pub(super) fn best_width(counts: &[u32]) -> u32 {
    (2..=WIDTH_MAX)
        .min_by(|&a, &b| cost(counts, a).total_cmp(&cost(counts, b)))
        .expect("the range is not empty")
}

/// The width at which sums over tables of so many bases are cheapest, if half of what is summed is short: buckets then
/// weigh more than in the longest sums.
pub(super) fn table_width(len: usize) -> u32 {
    let cost = |width: u32| {
        let buckets = f64::from(1u32 << (width - 1));
        len as f64 * f64::from(digits(253, width)) + 4.0 * buckets * BUCKET_COST
    };
    (2..=WIDTH_MAX).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).expect("the range is not empty")
}

/// The number of digits of a magnitude of so many bits.
pub(super) fn digits(bits: usize, width: u32) -> u32 {
    bits as u32 / width + 1
}

fn cost(counts: &[u32], width: u32) -> f64 {
    let additions = |(bits, &count): (usize, &u32)| f64::from(count) * f64::from(digits(bits, width));
    let longest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
    let buckets = f64::from(1u32 << (width - 1));
    let of_window = buckets * BUCKET_COST + 2.0 * buckets.sqrt() * RUNNING_COST;
    let sum: f64 = counts.iter().enumerate().skip(1).map(additions).sum();
    sum + f64::from(digits(longest, width)) * of_window
}
