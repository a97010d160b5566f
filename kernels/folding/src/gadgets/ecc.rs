//! Points of the curve whose base field is the circuit's: grumpkin in circuits over bn256's scalars, bn256 over grumpkin's.
//!
//! The curves are `y^2 = x^3 + b` of prime order. So there is no point with `y = 0`, which would have order two, and none with
//! `x = 0`, which the endomorphism `(beta x, y)` would fix; the identity is written `(0, 0)`, which is on neither curve. All
//! rows are of degree 3 at most, so that a circuit folded by cross terms has two of them.

mod add;
mod curve;
mod multiply;

pub use curve::{LadderOffset, NativeCurve};
pub use multiply::Multiplier;

use halo2curves::ff::Field as _;

use crate::circuit::{Circuit, Gate, Linear};
use crate::relation::Expression;

/// A point on the curve, or the identity.
#[derive(Clone, Debug)]
pub struct Point<C: NativeCurve> {
    x: Linear<C::Base>,
    y: Linear<C::Base>,
    identity: Linear<C::Base>,
}

impl<C: NativeCurve> Point<C> {
    /// A point that is a constant of the circuit.
    #[must_use]
    pub fn constant(point: C) -> Self {
        let (x, y) = coordinates(point);
        let identity = if bool::from(point.is_identity()) { Linear::one() } else { Linear::zero() };
        Self { x: Linear::constant(x), y: Linear::constant(y), identity }
    }

    /// A new point. Takes 2 full-size variables and a bit.
    pub fn assign(circuit: &mut Circuit<C::Base>, point: C) -> Self {
        let (x, y) = coordinates(point);
        let (x, y) = (circuit.witness(x), circuit.witness(y));
        Self::from_coordinates(circuit, x, y)
    }

    /// The point with these coordinates, which is enforced to be on the curve or `(0, 0)`. Takes a bit.
    pub fn from_coordinates(circuit: &mut Circuit<C::Base>, x: Linear<C::Base>, y: Linear<C::Base>) -> Self {
        let identity = circuit.bit(bool::from(x.value().is_zero() & y.value().is_zero()));
        circuit.enforce(ON_CURVE, on_curve::<C>, &[&x, &y, &identity]);
        Self { x, y, identity }
    }

    /// The horizontal coordinate, 0 for the identity.
    #[must_use]
    pub fn x(&self) -> &Linear<C::Base> {
        &self.x
    }

    /// The vertical coordinate, 0 for the identity.
    #[must_use]
    pub fn y(&self) -> &Linear<C::Base> {
        &self.y
    }

    /// 1 for the identity, else 0.
    #[must_use]
    pub fn is_identity(&self) -> &Linear<C::Base> {
        &self.identity
    }

    /// The point under the assignment that is being made; the identity where coordinates are not on the curve.
    #[must_use]
    pub fn value(&self) -> C {
        Option::from(C::from_xy(self.x.value(), self.y.value())).unwrap_or_else(C::identity)
    }

    /// The same point.
    pub fn enforce_equal(&self, circuit: &mut Circuit<C::Base>, other: &Self) {
        circuit.enforce_equal(&self.x, &other.x);
        circuit.enforce_equal(&self.y, &other.y);
    }

    /// `chosen` where `bit` is 1, else `other`; the bit must be one. Takes 2 full-size variables and a bit.
    pub fn choose(
        circuit: &mut Circuit<C::Base>,
        bit: &Linear<C::Base>,
        chosen: &Self,
        other: &Self,
    ) -> Self {
        Self {
            x: circuit.choose(bit, &chosen.x, &other.x),
            y: circuit.choose(bit, &chosen.y, &other.y),
            identity: circuit.choose(bit, &chosen.identity, &other.identity),
        }
    }

    /// The point that adds up to the identity with this one.
    #[must_use]
    pub fn negate(&self) -> Self {
        Self { x: self.x.clone(), y: -self.y.clone(), identity: self.identity.clone() }
    }

    /// `self + multiplier * point`: a multiplication and a complete addition.
    #[must_use]
    pub fn add_multiple(
        &self,
        circuit: &mut Circuit<C::Base>,
        multiplier: &Multiplier<C::Base>,
        point: &Self,
    ) -> Self {
        let multiple = point.multiply(circuit, multiplier);
        self.add(circuit, &multiple)
    }

    /// `self + multiplier * (other - self)`: a multiplication and two complete additions.
    #[must_use]
    pub fn interpolate(
        &self,
        circuit: &mut Circuit<C::Base>,
        multiplier: &Multiplier<C::Base>,
        other: &Self,
    ) -> Self {
        let difference = other.add(circuit, &self.negate());
        self.add_multiple(circuit, multiplier, &difference)
    }
}

const ON_CURVE: &str = "on the curve or the identity";

/// Inputs: both coordinates, and the bit that says that both are 0.
fn on_curve<C: NativeCurve>() -> Gate<C::Base> {
    let (x, y, identity) = (|| Expression::Input(0), || Expression::Input(1), || Expression::Input(2));
    let b = || Expression::Constant(C::b());
    let curve = y() * y() - x() * x() * x() - b() + identity() * C::b();
    // With the bit 1, x is 0 by the second polynomial, and so is y by the first.
    Gate { name: ON_CURVE.into(), inputs: 3, expressions: vec![curve, identity() * x()] }
}

/// The coordinates of a point, `(0, 0)` for the identity.
fn coordinates<C: NativeCurve>(point: C) -> (C::Base, C::Base) {
    Option::from(point.coordinates())
        .map_or((C::Base::ZERO, C::Base::ZERO), |point: halo2curves::Coordinates<C>| (*point.x(), *point.y()))
}

#[cfg(test)]
mod tests;
