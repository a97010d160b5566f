//! Which rows refuse a false sum of two points.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;
use halo2curves::group::prime::PrimeCurveAffine as _;

use super::super::super::testing::Built;
use super::{Grumpkin, addition, point, turned};

/// Numbers of the values that an addition takes, after two points.
const INVERSE_OF_RUN: usize = 7;
const SAME_X: usize = 8;
const SLOPE: usize = 9;
const OPPOSITE: usize = 10;
const INVERSE_OF_HEIGHTS: usize = 11;
const GENERIC: usize = 12;
const X: usize = 13;
const Y: usize = 14;

#[test]
fn no_value_of_an_addition_is_free_but_those_that_nothing_uses() {
    let run = (INVERSE_OF_RUN, "the inverse of a difference of x that is 0");
    let heights = (INVERSE_OF_HEIGHTS, "the inverse of a sum of y that is 0");
    let slope = (SLOPE, "the slope of two identities");
    let (p, q) = (point::<Grumpkin>(1), point(2));
    addition(p, q).assert_each_value_is_bound(&[]);
    addition(p, Grumpkin::identity()).assert_each_value_is_bound(&[]);
    addition(Grumpkin::identity(), p).assert_each_value_is_bound(&[]);
    addition(p, p).assert_each_value_is_bound(&[run]);
    addition(p, -p).assert_each_value_is_bound(&[run, heights]);
    addition(p, -turned(p)).assert_each_value_is_bound(&[heights]);
    addition(Grumpkin::identity(), Grumpkin::identity()).assert_each_value_is_bound(&[run, slope, heights]);
}

#[test]
fn each_row_of_an_addition_refuses_what_no_other_does() {
    const ADDITION: &str = "complete addition";
    let (p, q) = (point::<Grumpkin>(1), point::<Grumpkin>(2));
    let with_slope = |built: &Built<Fr>, slope: Fr| {
        let mut dishonest = built.vector.clone();
        dishonest[SLOPE] = slope;
        dishonest[X] = slope.square() - dishonest[1] - dishonest[4];
        dishonest[Y] = slope * (dishonest[1] - dishonest[X]) - dishonest[2];
        dishonest
    };
    let generic = addition(p, q);
    generic.assert_refused_only_by(ADDITION, 0, &with_slope(&generic, Fr::from(5)));
    let double = addition(p, p);
    double.assert_refused_only_by(ADDITION, 1, &with_slope(&double, Fr::from(5)));
    // Two points that are said to be opposite, so that their sum would be the identity.
    let as_identity = |built: &Built<Fr>, opposite: u64, inverse: Fr| {
        let mut dishonest = built.vector.clone();
        dishonest[OPPOSITE] = Fr::from(opposite);
        dishonest[INVERSE_OF_HEIGHTS] = inverse;
        (dishonest[GENERIC], dishonest[X], dishonest[Y]) = (Fr::ONE - Fr::from(opposite), Fr::ZERO, Fr::ZERO);
        dishonest
    };
    double.assert_refused_only_by(ADDITION, 2, &as_identity(&double, 1, Fr::ZERO));
    let heights = (generic.vector[2] + generic.vector[5]).invert().unwrap();
    generic.assert_refused_only_by(ADDITION, 2, &as_identity(&generic, 1, -heights));
    let same_heights = addition(p, -turned(p));
    same_heights.assert_refused_only_by(ADDITION, 3, &as_identity(&same_heights, 1, Fr::ZERO));
    // Opposite points that are said not to be: a finite sum by the tangent.
    let opposite = addition(p, -p);
    let mut dishonest = with_slope(&opposite, opposite.vector[SLOPE]);
    (dishonest[OPPOSITE], dishonest[GENERIC]) = (Fr::ZERO, Fr::ONE);
    opposite.assert_refused_only_by(ADDITION, 3, &dishonest);
    // A sum that nothing decides, and sums that are something else.
    let mut dishonest = generic.vector.clone();
    (dishonest[GENERIC], dishonest[X], dishonest[Y]) = (Fr::ZERO, Fr::ZERO, Fr::ZERO);
    generic.assert_refused_only_by(ADDITION, 4, &dishonest);
    let mut dishonest = generic.vector.clone();
    dishonest[X] += Fr::ONE;
    dishonest[Y] = generic.vector[Y] - dishonest[SLOPE];
    generic.assert_refused_only_by(ADDITION, 5, &dishonest);
    let mut dishonest = generic.vector.clone();
    dishonest[Y] += Fr::ONE;
    generic.assert_refused_only_by(ADDITION, 6, &dishonest);
    // Points of one x that are said to differ in it, so that no slope is needed.
    let mut dishonest = with_slope(&double, Fr::from(5));
    (dishonest[SAME_X], dishonest[INVERSE_OF_HEIGHTS]) = (Fr::ONE, Fr::ZERO);
    double.assert_refused_only_by("product", 0, &dishonest);
}
