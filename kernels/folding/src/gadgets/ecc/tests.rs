//! Points in circuits, on both curves, and what rows refuse.

mod add;
mod agreement;
mod cost;
mod curve;
mod ladder;
mod ladder_model;
mod multiply;

use std::cell::Cell;

use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField;
use halo2curves::group::Curve as _;
use halo2curves::grumpkin;

use super::super::Short;
use super::super::testing::{Built, build, committed, random};
use super::{Multiplier, NativeCurve, Point, coordinates};
use crate::circuit::Circuit;

type Grumpkin = grumpkin::G1Affine;

fn point<C: NativeCurve>(number: u64) -> C {
    (C::generator() * random::<C::ScalarExt>(number)).to_affine()
}

/// `phi(T)`, whose height is that of `T`.
fn turned<C: NativeCurve>(point: C) -> C {
    let (x, y) = coordinates(point);
    C::from_xy(x * C::beta(), y).unwrap()
}

fn multiplier<F: PrimeField>(circuit: &mut Circuit<F>, scalar: u128) -> Multiplier<F> {
    let scalar = circuit.witness(F::from_u128(scalar));
    let short = Short::new(circuit, &scalar);
    Multiplier::new(circuit, &short)
}

/// An addition of two points; in its vector the coordinates and bits of both come first.
fn addition(p: Grumpkin, q: Grumpkin) -> Built<Fr> {
    build(|circuit: &mut Circuit<Fr>| {
        let (left, right) = (Point::assign(circuit, p), Point::assign(circuit, q));
        let _ = left.add(circuit, &right);
    })
}

/// A multiplication of a point, and where its variables begin in the vector.
fn multiplication(scalar: u128, point: Grumpkin) -> (Built<Fr>, usize) {
    let start = Cell::new(0);
    let built = build(|circuit: &mut Circuit<Fr>| {
        let multiplier = multiplier(circuit, scalar);
        let point = Point::<Grumpkin>::assign(circuit, point);
        start.set(1 + committed(circuit));
        let _ = point.multiply(circuit, &multiplier);
    });
    (built, start.get())
}
