//! Results in circuits, compared with the curve's own arithmetic.

use std::collections::BTreeSet;

use halo2curves::bn256;
use halo2curves::ff::PrimeField;
use halo2curves::group::{Curve as _, prime::PrimeCurveAffine as _};

use super::super::super::testing::{build, random};
use super::super::{NativeCurve, Point, coordinates};
use super::{Grumpkin, multiplier, point, turned};
use crate::circuit::{Circuit, Linear};

fn points<C: NativeCurve>() -> Vec<C> {
    let generator = C::generator();
    vec![
        C::identity(),
        generator,
        -generator,
        (generator + generator).to_affine(),
        turned(generator),
        point(1),
    ]
}

const SCALARS: [u128; 11] = [
    0,
    1,
    2,
    3,
    1 << 64,
    1 << 127,
    (1 << 127) - 1,
    u128::MAX,
    u128::MAX - 1,
    0x5555_5555_5555_5555_5555_5555_5555_5555,
    0xaaaa_aaaa_aaaa_aaaa_aaaa_aaaa_aaaa_aaaa,
];

#[track_caller]
fn expect<C: NativeCurve>(point: &Point<C>, expected: C) {
    assert_eq!((point.x().value(), point.y().value()), coordinates(expected));
    assert_eq!(point.is_identity().value(), C::Base::from(u64::from(bool::from(expected.is_identity()))));
    assert_eq!(point.value(), expected);
}

/// Asserts of each circuit that it is satisfied, and of all that they have one shape.
fn assert_one_shape<F: PrimeField, T: Copy>(
    inputs: impl IntoIterator<Item = T>,
    circuit: impl Fn(&mut Circuit<F>, T),
) {
    let digests: BTreeSet<_> =
        inputs.into_iter().map(|input| build(|made| circuit(made, input)).relation.digest()).collect();
    assert_eq!(digests.len(), 1);
}

fn any_two_points_add_up<C: NativeCurve>() {
    let points = points::<C>();
    let pairs = points.iter().flat_map(|p| points.iter().map(|q| (*p, *q)));
    assert_one_shape(pairs, |circuit, (p, q)| {
        let (left, right) = (Point::<C>::assign(circuit, p), Point::assign(circuit, q));
        expect(&left.add(circuit, &right), (p + q).to_affine());
        expect(&left.add(circuit, &left), (p + p).to_affine());
        expect(&left.add(circuit, &left.negate()), C::identity());
        let sum = left.add(circuit, &right);
        expect(&sum.add(circuit, &Point::constant(C::generator())), ((p + q) + C::generator()).to_affine());
    });
}

#[test]
fn any_two_points_add_up_on_either_curve() {
    any_two_points_add_up::<Grumpkin>();
    any_two_points_add_up::<bn256::G1Affine>();
}

fn any_point_is_multiplied<C: NativeCurve>() {
    let points = points::<C>();
    let all = SCALARS.into_iter().flat_map(|scalar| {
        // The edges of scalars with every point, and the rest with one.
        let points = if scalar < 2 || scalar == u128::MAX { points.clone() } else { vec![point(3)] };
        points.into_iter().map(move |point| (scalar, point))
    });
    let random = (0..8).map(|number| (u128::from_le_bytes(random_bytes::<C>(number)), point(number)));
    assert_one_shape(all.chain(random), |circuit, (scalar, point)| {
        let multiplier = multiplier(circuit, scalar);
        let assigned = Point::<C>::assign(circuit, point);
        expect(
            &assigned.multiply(circuit, &multiplier),
            (point * C::ScalarExt::from_u128(scalar)).to_affine(),
        );
    });
}

fn random_bytes<C: NativeCurve>(number: u64) -> [u8; 16] {
    let element: C::ScalarExt = random(100 + number);
    element.to_repr().as_ref()[..16].try_into().unwrap()
}

#[test]
fn any_point_is_multiplied_by_any_short_number_on_either_curve() {
    any_point_is_multiplied::<Grumpkin>();
    any_point_is_multiplied::<bn256::G1Affine>();
}

#[test]
fn combinations_agree_with_the_curve() {
    type C = Grumpkin;
    let cases = [(point(1), point(2), 12_345), (C::identity(), point(2), 7), (point(1), point(1), 9)];
    assert_one_shape(cases, |circuit, (p, q, scalar)| {
        let multiplier = multiplier(circuit, scalar);
        let (left, right) = (Point::<C>::assign(circuit, p), Point::assign(circuit, q));
        let scalar = bn256::Fq::from_u128(scalar);
        expect(&left.add_multiple(circuit, &multiplier, &right), (p + q * scalar).to_affine());
        expect(&left.interpolate(circuit, &multiplier, &right), (p + (q + -p) * scalar).to_affine());
        let bit = circuit.bit(scalar.is_odd().into());
        let chosen = Point::choose(circuit, &bit, &left, &right);
        expect(&chosen, if bool::from(scalar.is_odd()) { p } else { q });
        chosen.enforce_equal(circuit, &Point { identity: Linear::zero(), ..chosen.clone() });
    });
}
