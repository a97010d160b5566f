//! Multiplication of a point by a number below `2^128`.
//!
//! **The ladder.** From the highest bit of `s` down, an accumulator `A` becomes `2 A + D = (A + D) + A`, as in variable-base
//! multiplication of the Halo 2 book, with two incomplete additions and no doubling. `D` is chosen by the bit.
//!
//! The slopes are `l` of `A + D`, and `m` of `(A + D) + A`. Then `x(A + D) = l^2 - x_A - x_D`, so the next accumulator has
//! `x_A' = m^2 - l^2 + x_D`, in which `x_A` is gone, and since the second line goes through `A` and `A + D`,
//! `2 y_A = (l + m) (2 x_A + x_D - l^2)`. So the slopes alone are variables, two for a bit, and rows have degree 3:
//!
//! - `l (x_A - x_D) = y_A - y_D`, the first line;
//! - `m (x_A - x_A') = y_A + y_A'`, the second line, where `y_A'` is of the slopes of the next bit.
//!
//! By induction the coordinates are those of the true accumulator, if no bit divides by 0: the first row then has one
//! solution `l`, as `x_A != x_D`; the expression for the true `y_A`, which the row before has enforced, has one solution `m`,
//! as `x_A != x_(A+D)`.
//!
//! **Why no bit divides by 0.** A ladder of multiples of `T` alone would: while the bits of `s` are 0, `A = T`. So `s T` is
//! computed as `(s - a) T + b phi(T)`, where `phi(x, y) = (beta x, y)` and `-a T + b phi(T)` is the identity for all points
//! (`LadderOffset`). `A` starts as `2 phi(T)`; bit `i` has `D = (s_i - a_i) T + f_i phi(T)`, where `f_i` is 1 or -1
//! and constant as `a_i` is. These are `phi(T)`, `-phi(T)`, `T + phi(T) = -phi(phi(T))`, its opposite, and `T - phi(T)` or its
//! opposite, which is one addition. After `k` bits `A = u T + v phi(T)`, where
//!
//! - `v` is a constant, in `2^k + 1 .. 3 * 2^k` from `k = 1` on;
//! - `u` is in `-(a >> (128 - k)) .. 2^k - (a >> (128 - k))`.
//!
//! With `phi(T) = z T`, a bit divides by 0 only if `A = D`, `A = -D`, or `2 A + D` is the identity: if `(u - e) + (v - f) z`,
//! `(u + e) + (v + f) z` or the next accumulator's `u + v z` is 0 modulo the order. For each `k` these are conditions on `u`
//! alone, since the rest is constant: `u` would have to be one certain residue modulo the order, and it is in an interval of
//! length below `2^129`. A test of this module goes through all bits of both curves: the residue is in the interval at no
//! bit, but for the last one's result, which is the identity for `s = 0`.
//!
//! So `s = 0` is replaced by 1 and the identity by the generator beforehand, and the result by the identity afterwards.

mod addends;
mod gates;
mod ladder;

use halo2curves::ff::PrimeField;

use self::addends::addends;
use self::ladder::ladder;
use super::{NativeCurve, Point, coordinates};
use crate::circuit::{Circuit, Linear};
use crate::gadgets::Short;

/// A number below `2^128` as points are multiplied by it.
#[derive(Clone, Debug)]
pub struct Multiplier<F> {
    /// Least first; of 1 where the number is 0.
    bits: Vec<Linear<F>>,
    is_zero: Linear<F>,
}

impl<F: PrimeField> Multiplier<F> {
    /// The number, to multiply any number of points by. Takes a full-size variable and 2 bits.
    pub fn new(circuit: &mut Circuit<F>, short: &Short<F>) -> Self {
        let is_zero = circuit.is_zero(&short.value);
        let mut bits = short.bits.clone();
        let lowest = &bits[0] + &is_zero;
        bits[0] = circuit.witness(lowest.value());
        circuit.enforce_equal(&bits[0], &lowest);
        Self { bits, is_zero }
    }
}

impl<C: NativeCurve> Point<C> {
    /// The multiple. Takes 2 full-size variables a bit and 10 more, and a bit.
    #[must_use]
    pub fn multiply(&self, circuit: &mut Circuit<C::Base>, multiplier: &Multiplier<C::Base>) -> Self {
        let base = self.or_generator(circuit);
        let addends = addends::<C>(circuit, &base, &multiplier.bits);
        let (last_x, last_y) = ladder::<C>(circuit, &base, &addends);

        let is_finite = Linear::one() - self.identity.clone();
        let is_finite = circuit.product(&(Linear::one() - multiplier.is_zero.clone()), &is_finite);
        Self {
            x: circuit.product(&is_finite, &last_x),
            y: circuit.product(&is_finite, &last_y),
            identity: Linear::one() - is_finite,
        }
    }

    /// The coordinates of this point, or of the generator in the place of the identity.
    fn or_generator(&self, circuit: &mut Circuit<C::Base>) -> (Linear<C::Base>, Linear<C::Base>) {
        let (x, y) = coordinates(C::generator());
        // The identity's coordinates are 0.
        let mut replaced = |coordinate: &Linear<C::Base>, of_generator| {
            let sum = coordinate + &(&self.identity * of_generator);
            let replaced = circuit.witness(sum.value());
            circuit.enforce_equal(&replaced, &sum);
            replaced
        };
        (replaced(&self.x, x), replaced(&self.y, y))
    }
}
