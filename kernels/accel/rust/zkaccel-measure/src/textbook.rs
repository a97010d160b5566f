//! What work takes as the textbook has it.

/// Multiplications of field elements of a multi-scalar multiplication with signed windows of the best width w: n affine
/// additions a window, six multiplications each with shared inversions, and two full additions of fourteen for each of
/// its 2^(w-1) buckets.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "sizes have few digits")]
pub fn multiplications_of_msm(n: usize) -> f64 {
    let of_width = |width: usize| 255_usize.div_ceil(width) as f64 * (6 * n + 28 * (1 << (width - 1))) as f64;
    (4..24).map(of_width).fold(f64::INFINITY, f64::min)
}
