//! Points and scalars that have broken others.

use halo2curves::{
    CurveAffine,
    ff::{Field, PrimeField},
    group::Curve,
};
use rand_core::RngCore;

use crate::twins::TwinPoint;

type Scalar<C> = <C as CurveAffine>::ScalarExt;

/// `n` points that differ: a line of them, starting anywhere.
pub(crate) fn any_points<C: TwinPoint>(random: &mut impl RngCore, n: usize) -> Vec<C> {
    let step = (C::generator() * Scalar::<C>::random(&mut *random)).to_affine();
    let start = C::generator() * Scalar::<C>::random(random);
    let line: Vec<_> = std::iter::successors(Some(start), |&point| Some(point + step)).take(n).collect();
    let mut points = vec![C::identity(); n];
    C::CurveExt::batch_normalize(&line, &mut points);
    points
}

/// Kinds of points to sum, by name.
pub(crate) fn kinds_of_points<C: TwinPoint>(
    random: &mut impl RngCore,
    n: usize,
) -> Vec<(&'static str, Vec<C>)> {
    let any = any_points::<C>(random, n);
    let changed =
        |change: &dyn Fn(usize, C) -> C| any.iter().enumerate().map(|(i, &p)| change(i, p)).collect();
    let first = any.first().copied().unwrap_or(C::generator());
    vec![
        ("points that differ", any.clone()),
        ("one point many times", changed(&|_, _| first)),
        ("a point and its negative", changed(&|i, _| if i % 2 == 0 { first } else { first.neg() })),
        ("identities among points", changed(&|i, p| if i % 3 == 1 { C::identity() } else { p })),
        ("identities alone", changed(&|_, _| C::identity())),
        ("pairs of a point and its negative", changed(&|i, p| if i % 2 == 1 { any[i - 1].neg() } else { p })),
    ]
}

/// Kinds of scalars to sum with, by name.
pub(crate) fn kinds_of_scalars<F: PrimeField>(
    random: &mut impl RngCore,
    n: usize,
) -> Vec<(&'static str, Vec<F>)> {
    let one = F::random(&mut *random);
    let mut all =
        |make: &mut dyn FnMut(usize, &mut dyn RngCore) -> F| (0..n).map(|i| make(i, random)).collect();
    vec![
        ("scalars of any size", all(&mut |_, random| F::random(random))),
        ("zeros", all(&mut |_, _| F::ZERO)),
        ("ones", all(&mut |_, _| F::ONE)),
        ("minus ones, r - 1", all(&mut |_, _| -F::ONE)),
        ("equal scalars", all(&mut |_, _| one)),
        ("nine of ten are 1", all(&mut |i, random| if i % 10 == 9 { F::random(random) } else { F::ONE })),
        (
            "powers of two and one more or less, where signed digits carry",
            all(&mut |i, _| near_power::<F>(i)),
        ),
        ("small numbers", all(&mut |i, random| F::from(random.next_u64() >> (63 - i % 16)))),
        ("small and negative numbers", all(&mut |i, random| -F::from(random.next_u64() >> (63 - i % 16)))),
        ("64 bits", all(&mut |_, random| F::from(random.next_u64()))),
        ("half of all bits", all(&mut |_, random| F::from_u128(u128::from(random.next_u64()) << 64))),
    ]
}

/// 2^j - 1, 2^j and 2^j + 1 in turns, for j below the bits of the modulus.
fn near_power<F: PrimeField>(i: usize) -> F {
    let power = F::from(2).pow_vartime([(i / 3) as u64 % u64::from(F::NUM_BITS)]);
    [power - F::ONE, power, power + F::ONE][i % 3]
}
