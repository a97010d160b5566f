//! Multi-scalar multiplication: `Σ scalar_i · point_i`.
//!
//! The method is Pippenger's with signed digits. Within a window the points are sorted by their digit and the points of
//! a digit are added in pairs, in affine coordinates, until one is left: so a thousand additions share an inversion, and
//! one costs some six multiplications.
//!
//! It stands beside the curve library's own for two reasons. Between a hundred and a hundred thousand points it takes
//! less time. And from some 8,000 points on, the library takes the identity, which it writes `(0, 0)`, for a point of
//! the curve: its sums are wrong then, or it panics. A prover may send the identity.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Group;
use halo2curves::msm::msm_best;
use rayon::prelude::*;

use super::multilinear::PARALLEL_CHUNK;
use buckets::Window;
use digits::Digits;

mod buckets;
mod digits;

/// Points below which the curve library's own function is as fast.
const POINTS_LEAST: usize = 64;

/// `Σ scalars[i] · points[i]`, over as many as there are of both. The identity counts as nothing, and so do coordinates
/// that are on no curve, which have no multiples.
pub(crate) fn msm<C: CurveAffine>(scalars: &[C::ScalarExt], points: &[C]) -> C::CurveExt {
    if scalars.len().min(points.len()) < POINTS_LEAST {
        return short(scalars, points);
    }
    let coordinates: Vec<Option<[C::Base; 2]>> =
        points.par_iter().with_min_len(PARALLEL_CHUNK).map(coordinates).collect();
    let scalar =
        |(scalar, point): (&C::ScalarExt, &Option<_>)| if point.is_some() { *scalar } else { Field::ZERO };
    let scalars = scalars.par_iter().zip(&coordinates).with_min_len(PARALLEL_CHUNK).map(scalar);
    let digits = Digits::new(scalars, window_bits::<C::ScalarExt>(points.len()));
    let windows: Vec<C::CurveExt> = (0..digits.windows())
        .into_par_iter()
        .map_init(Window::default, |window, index| window.sum::<C>(&digits, index, &coordinates))
        .collect();
    windows.into_iter().rev().fold(C::CurveExt::identity(), |sum, window| {
        (0..digits.bits()).fold(sum, |sum, _| sum.double()) + window
    })
}

fn short<C: CurveAffine>(scalars: &[C::ScalarExt], points: &[C]) -> C::CurveExt {
    let has_multiples = |(_, point): &(&C::ScalarExt, &C)| coordinates(*point).is_some();
    let (scalars, points): (Vec<C::ScalarExt>, Vec<C>) =
        scalars.iter().zip(points).filter(has_multiples).unzip();
    if points.is_empty() { C::CurveExt::identity() } else { msm_best(&scalars, &points) }
}

fn coordinates<C: CurveAffine>(point: &C) -> Option<[C::Base; 2]> {
    let finite = !bool::from(point.is_identity());
    finite.then(|| Option::from(point.coordinates().map(|c| [*c.x(), *c.y()]))).flatten()
}

/// The width of windows with the least work: an addition a point, and two slower ones for each of the buckets, which
/// weigh some four.
fn window_bits<F: PrimeField>(points: usize) -> usize {
    let work = |bits: &usize| digits::windows::<F>(*bits) * (points + (2 << bits));
    (3..=digits::BITS_MAX).min_by_key(work).unwrap_or(digits::BITS_MAX)
}

#[cfg(test)]
mod tests;
