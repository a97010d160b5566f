//! How many variables arithmetic takes.

use std::cell::Cell;

use halo2curves::bn256::{Fq, Fr};

use super::super::super::limbs::LimbParameters;
use super::super::super::testing::{Cost, build, committed, random};
use super::super::{NonNative, ShortLimbs};
use super::{DEFAULT, R, short};
use crate::circuit::Circuit;

#[test]
fn what_arithmetic_takes() {
    type Gadget = fn(&mut Circuit<Fr>, &NonNative<Fr, Fq>, &ShortLimbs<Fr>);
    let cost = |(width, count): (usize, usize), gadget: Gadget| {
        let parameters = LimbParameters::new::<Fr, Fq>(width, count).unwrap();
        let given = Cell::new(0);
        build(|circuit: &mut Circuit<Fr>| {
            let short = short(circuit, R, parameters);
            let element = NonNative::assign(circuit, random(11), parameters);
            given.set(committed(circuit));
            gadget(circuit, &element, &short);
        })
        .cost(given.get())
    };
    let assign: Gadget = |circuit, _, _| drop(NonNative::<Fr, Fq>::assign(circuit, random(1), DEFAULT));
    assert_eq!(cost((68, 4), assign), Cost { full: 0, medium: 4, small: 123 });
    let canonical: Gadget =
        |circuit, _, _| drop(NonNative::<Fr, Fq>::assign_canonical(circuit, random(1), DEFAULT));
    assert_eq!(cost((68, 4), canonical), Cost { full: 0, medium: 5, small: 123 + 23 });
    let multiple: Gadget = |circuit, element, short| drop(element.add_multiple(circuit, short, element));
    assert_eq!(cost((68, 4), multiple), Cost { full: 0, medium: 8, small: 123 + 23 + 63 + 35 });
    assert_eq!(cost((64, 4), multiple), Cost { full: 0, medium: 9, small: 277 });
    assert_eq!(cost((88, 3), multiple), Cost { full: 0, medium: 8, small: 301 });
    let sum: Gadget = |circuit, element, short| drop(element.add_short(circuit, short));
    assert_eq!(cost((68, 4), sum), Cost { full: 0, medium: 6, small: 123 + 23 + 1 + 2 });
    let product: Gadget = |circuit, element, _| drop(element.add_product(circuit, element, element));
    assert_eq!(cost((68, 4), product), Cost { full: 0, medium: 11, small: 123 + 23 + 124 + 72 });
}
