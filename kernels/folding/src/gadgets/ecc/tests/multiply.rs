//! Which rows refuse a false multiple of a point.

use std::cell::RefCell;
use std::collections::BTreeSet;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;
use halo2curves::group::prime::PrimeCurveAffine as _;

use super::{Grumpkin, multiplication, point};

#[test]
fn no_value_of_a_multiplication_is_free_but_the_inverse_of_zero() {
    for scalar in [0, 1, u128::MAX, 0x1234_5678_9abc_def0_0fed_cba9_8765_4321] {
        for point in [point(1), Grumpkin::identity()] {
            let (built, start) = multiplication(scalar, point);
            // The scalar and its bits, the inverse, the product, the lowest bit, and the point come first.
            let inverse = (start - 6, "the inverse of a scalar of 0");
            built.assert_each_value_is_bound(if scalar == 0 { std::slice::from_ref(&inverse) } else { &[] });
        }
    }
}

#[test]
fn a_multiple_of_another_number_is_refused_by_each_kind_of_row() {
    let (built, start) = multiplication(5, point(1));
    let groups: RefCell<BTreeSet<String>> = RefCell::default();
    for index in start..built.vector.len() {
        let mut dishonest = built.vector.clone();
        dishonest[index] += Fr::ONE;
        groups.borrow_mut().extend(built.violated(&dishonest).into_iter().map(|(group, _)| group));
    }
    let expected = ["ladder, bit", "ladder, last bit", "ladder, start", "product", "zero"];
    assert_eq!(groups.into_inner(), BTreeSet::from(expected.map(str::to_owned)));
}

#[test]
fn a_multiple_of_the_identity_or_by_zero_that_is_not_the_identity_is_refused() {
    for (scalar, point) in [(0, point(1)), (9, Grumpkin::identity())] {
        let (built, start) = multiplication(scalar, point);
        let (last, is_finite) = (start + 6 + 256, start + 6 + 256 + 2);
        let mut dishonest = built.vector.clone();
        dishonest[is_finite] = Fr::ONE;
        (dishonest[is_finite + 1], dishonest[is_finite + 2]) = (dishonest[last], dishonest[last + 1]);
        built.assert_refused_only_by("product", 0, &dishonest);
    }
}
