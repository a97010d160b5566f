//! How many variables points take, and of which degree their rows are.

use std::cell::Cell;

use halo2curves::bn256::Fr;

use super::super::super::testing::{Cost, build, committed};
use super::super::{Multiplier, Point};
use super::{Grumpkin, addition, multiplication, multiplier, point};
use crate::circuit::Circuit;

#[test]
fn what_points_take() {
    type Gadget = fn(&mut Circuit<Fr>, &Point<Grumpkin>, &Point<Grumpkin>, &Multiplier<Fr>);
    let cost = |gadget: Gadget| {
        let given = Cell::new(0);
        build(|circuit: &mut Circuit<Fr>| {
            let multiplier = multiplier(circuit, 0x1234_5678_9abc_def0_0fed_cba9_8765_4321);
            let (p, q) = (Point::assign(circuit, point(1)), Point::assign(circuit, point(2)));
            given.set(committed(circuit));
            gadget(circuit, &p, &q, &multiplier);
        })
        .cost(given.get())
    };
    assert_eq!(
        cost(|circuit, _, _, _| drop(multiplier(circuit, 3 << 120))),
        Cost { full: 1, medium: 1, small: 130 }
    );
    assert_eq!(
        cost(|circuit, _, _, _| drop(Point::<Grumpkin>::assign(circuit, point(3)))),
        Cost { full: 2, medium: 0, small: 1 }
    );
    assert_eq!(cost(|circuit, p, q, _| drop(p.add(circuit, q))), Cost { full: 4, medium: 0, small: 4 });
    assert_eq!(
        cost(|circuit, p, _, m| drop(p.multiply(circuit, m))),
        Cost { full: 266, medium: 0, small: 1 }
    );
    let multiple =
        |circuit: &mut Circuit<Fr>, p: &Point<_>, q: &Point<_>, m: &_| drop(p.add_multiple(circuit, m, q));
    assert_eq!(cost(multiple), Cost { full: 270, medium: 0, small: 5 });
    let interpolated =
        |circuit: &mut Circuit<Fr>, p: &Point<_>, q: &Point<_>, m: &_| drop(p.interpolate(circuit, m, q));
    assert_eq!(cost(interpolated), Cost { full: 274, medium: 0, small: 9 });
}

#[test]
fn rows_of_points_have_degree_three() {
    let (built, _) = multiplication(3, point(1));
    let ladders = built.relation.groups().iter().filter(|group| group.name().starts_with("ladder"));
    assert!(ladders.map(crate::relation::Group::degree).all(|degree| degree == 3));
    assert_eq!(addition(point(1), point(2)).relation.degree(), 3);
}
