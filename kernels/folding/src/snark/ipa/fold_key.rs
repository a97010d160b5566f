//! Halving a key: one scalar times many points.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;
use halo2curves::group::{Curve, Group};
use rayon::prelude::*;

/// Points that one thread takes at a time, some milliseconds of work.
const POINTS: usize = 64;

/// `lo_i + x · hi_i` for each half of `key`.
pub(super) fn fold_key<C: CurveAffine>(key: &[C], x: &C::ScalarExt) -> Vec<C> {
    let (low, high) = key.split_at(key.len() / 2);
    let digits = signed_digits(x);
    let mut folded = vec![C::identity(); low.len()];
    folded.par_chunks_mut(POINTS).zip(low.par_chunks(POINTS)).zip(high.par_chunks(POINTS)).for_each(
        |((folded, low), high)| {
            let sums: Vec<C::CurveExt> =
                low.iter().zip(high).map(|(low, high)| multiply(high, &digits) + *low).collect();
            C::CurveExt::batch_normalize(&sums, folded);
        },
    );
    folded
}

fn multiply<C: CurveAffine>(point: &C, digits: &[i8]) -> C::CurveExt {
    let negated = -*point;
    digits.iter().rev().fold(C::CurveExt::identity(), |sum, digit| {
        let doubled = sum.double();
        match digit {
            1 => doubled + *point,
            -1 => doubled + negated,
            _ => doubled,
        }
    })
}

/// The non-adjacent form, lowest digit first: digits -1, 0, 1, of which two in three are 0.
fn signed_digits<F: PrimeField>(scalar: &F) -> Vec<i8> {
    let repr = scalar.to_repr();
    let bit = |i: usize| repr.as_ref().get(i / 8).map_or(0, |byte| i16::from(byte >> (i % 8) & 1));
    let mut carry = 0;
    let mut digits = Vec::with_capacity(8 * repr.as_ref().len() + 1);
    for i in 0..=8 * repr.as_ref().len() {
        let low = bit(i) + carry;
        // An odd value becomes 1 or -1, whichever leaves the next bit even.
        let digit = if low == 1 { 1 - 2 * bit(i + 1) } else { 0 };
        carry = (low - digit) / 2;
        digits.push(if digit < 0 { -1 } else { i8::from(digit > 0) });
    }
    digits
}
