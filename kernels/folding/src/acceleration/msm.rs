//! Sums `Σ scalar_i * base_i`.
//!
//! Pippenger's bucket method with signed digits. Work follows the lengths of the scalars: zeros are dropped, a scalar
//! that (or whose negation) is below half a window costs one addition, and the width of windows is chosen from the
//! lengths that occur. Witnesses are full of bits, small digits and zeros, which is why.

use halo2curves::ff::PrimeField;
use halo2curves::group::Group;
use rayon::prelude::*;

use self::digits::{Signed, Signing};
pub(super) use self::table::Table;
use crate::commitment::Curve;

mod affine_sums;
mod buckets;
mod digits;
mod grouping;
mod table;
#[cfg(test)]
mod tests;
mod width;
mod window;

/// How many scalars a thread turns to signed form at a time.
const CHUNK_LEN: usize = 1024;

/// How many digits a thread sorts to buckets at a time: enough for their sums to share inversions.
const TASK_LEN: usize = 4096;

/// `Σ scalars[i] * bases[i]` over the shorter of the two.
pub(crate) fn msm<C: Curve>(scalars: &[C::Scalar], bases: &[C]) -> C::Curve {
    let (terms, counts) = signed_terms(scalars, bases);
    let Some(longest) = counts.iter().rposition(|&count| count > 0) else {
        return C::Curve::identity();
    };
    let width = width::best_width(&counts);
    let windows = width::digits(longest, width);
    let together =
        TASK_LEN.div_ceil(terms.len()).min((windows as usize).div_ceil(rayon::current_num_threads()));
    let sums: Vec<C::Curve> = (0..windows)
        .into_par_iter()
        .step_by(together)
        .flat_map_iter(|first| {
            let last = windows.min(first + together as u32);
            window::window_sums(&terms, bases, first..last, width)
        })
        .collect();
    let shifted = |sum: C::Curve| (0..width).fold(sum, |sum, _| sum.double());
    sums.into_iter().rev().fold(C::Curve::identity(), |total, sum| shifted(total) + sum)
}

/// The scalars that count, with their places, and how many have each length.
fn signed_terms<C: Curve>(scalars: &[C::Scalar], bases: &[C]) -> (Vec<(u32, Signed)>, Vec<u32>) {
    let signing = Signing::new::<C::Scalar>();
    let chunks: Vec<Vec<(u32, Signed)>> = scalars
        .par_chunks(CHUNK_LEN)
        .zip(bases.par_chunks(CHUNK_LEN))
        .enumerate()
        .map(|(chunk, (scalars, bases))| {
            let terms = ((chunk * CHUNK_LEN) as u32..).zip(scalars).zip(bases);
            let terms = terms.filter(|(_, base)| !bool::from(base.is_identity()));
            let terms = terms.map(|((place, scalar), _)| (place, signing.signed(scalar)));
            terms.filter(|(_, scalar)| scalar.bits() > 0).collect()
        })
        .collect();
    let terms = chunks.concat();
    let mut counts = vec![0; C::Scalar::NUM_BITS as usize + 1];
    for (_, scalar) in &terms {
        counts[scalar.bits() as usize] += 1;
    }
    (terms, counts)
}
