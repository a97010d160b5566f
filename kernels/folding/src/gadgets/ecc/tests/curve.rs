//! Which points there are, and which are refused.

use halo2curves::CurveAffine;
use halo2curves::bn256::{self, Fr};
use halo2curves::ff::Field as _;

use super::super::super::testing::{assigned, build};
use super::super::{NativeCurve, ON_CURVE, Point, coordinates};
use super::Grumpkin;
use crate::circuit::Circuit;

fn no_point_has_a_coordinate_of_zero<C: NativeCurve>() {
    // A point with y = 0 would have order two, but the order is an odd prime.
    assert!(bool::from(C::b().sqrt().is_none()));
    assert_eq!(C::a(), C::Base::ZERO);
    assert_eq!(C::beta().square() + C::beta() + C::Base::ONE, C::Base::ZERO);
}

#[test]
fn no_point_of_either_curve_has_a_coordinate_of_zero() {
    no_point_has_a_coordinate_of_zero::<Grumpkin>();
    no_point_has_a_coordinate_of_zero::<bn256::G1Affine>();
}

#[test]
fn points_off_the_curve_are_refused() {
    let (x, y) = coordinates(Grumpkin::generator());
    let circuit = |circuit: &mut Circuit<Fr>, (x, y): (Fr, Fr)| {
        let (x, y) = (circuit.witness(x), circuit.witness(y));
        Point::<Grumpkin>::from_coordinates(circuit, x, y);
    };
    let built = build(|made| circuit(made, (x, y)));
    for (x, y) in [(x, y + Fr::ONE), (x + Fr::ONE, y), (Fr::ZERO, y), (x, Fr::ZERO), (Fr::ZERO, Fr::ONE)] {
        built.assert_refused_only_by(ON_CURVE, 0, &assigned(|made| circuit(made, (x, y))));
    }
    // A point that is said to be the identity, and one on y^2 = x^3 that is said to be.
    built.assert_refused_only_by(ON_CURVE, 1, &[Fr::ONE, Fr::from(4), Fr::from(8), Fr::ONE]);
    // Said to be the identity in part: (0, y) would pass for y^2 = b (1 - part).
    let part = Fr::ONE - Fr::from(9) * Grumpkin::b().invert().unwrap();
    built.assert_refused_only_by("digit below 2", 0, &[Fr::ONE, Fr::ZERO, Fr::from(3), part]);
    // The identity that is said to be none.
    built.assert_refused_only_by(ON_CURVE, 0, &[Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO]);
}
