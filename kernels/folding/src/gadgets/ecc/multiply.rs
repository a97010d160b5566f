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
//! - `m (x_A - x_A') = y_A + y_A'`, the second line, where `y_A'` is of the slopes of the next step.
//!
//! By induction the coordinates are those of the true accumulator, if no step divides by 0: the first row then has one
//! solution `l`, as `x_A != x_D`; the expression for the true `y_A`, which the row before has enforced, has one solution `m`,
//! as `x_A != x_(A+D)`.
//!
//! **Why no step divides by 0.** A ladder of multiples of `T` alone would: while the bits of `s` are 0, `A = T`. So `s T` is
//! computed as `(s - a) T + b phi(T)`, where `phi(x, y) = (beta x, y)` and `-a T + b phi(T)` is the identity for all points
//! (`LadderOffset`). `A` starts as `2 phi(T)`; the step of bit `i` has `D = (s_i - a_i) T + f_i phi(T)`, where `f_i` is 1 or -1
//! and constant as `a_i` is. These are `phi(T)`, `-phi(T)`, `T + phi(T) = -phi(phi(T))`, its opposite, and `T - phi(T)` or its
//! opposite, which is one addition. After `k` steps `A = u T + v phi(T)`, where
//!
//! - `v` is a constant, in `2^k + 1 .. 3 * 2^k` from `k = 1` on;
//! - `u` is in `-(a >> (128 - k)) .. 2^k - (a >> (128 - k))`.
//!
//! With `phi(T) = z T`, a step divides by 0 only if `A = D`, `A = -D`, or `2 A + D` is the identity: if `(u - e) + (v - f) z`,
//! `(u + e) + (v + f) z` or the next accumulator's `u + v z` is 0 modulo the order. For each `k` these are conditions on `u`
//! alone, since the rest is constant: `u` would have to be one certain residue modulo the order, and it is in an interval of
//! length below `2^129`. A test of this module goes through all steps of both curves: the residue is in the interval at no
//! step, but for the last one's result, which is the identity for `s = 0`.
//!
//! So `s = 0` is replaced by 1 and the identity by the generator beforehand, and the result by the identity afterwards.

use halo2curves::ff::{BatchInvert as _, Field as _, PrimeField};
use halo2curves::group::Curve as _;

use super::{NativeCurve, Point, coordinates};
use crate::circuit::{Circuit, Gate, Linear};
use crate::gadgets::Short;
use crate::gadgets::bits::SHORT_BITS;
use crate::relation::Expression;

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

/// What a step adds: one of two points, by its bit.
struct Addend<F> {
    bit: Linear<F>,
    /// The point for 0.
    x: Linear<F>,
    y: Linear<F>,
    /// The point for 1 less that for 0, by coordinates.
    x_change: Linear<F>,
    y_change: Linear<F>,
}

impl<F: PrimeField> Addend<F> {
    fn x_value(&self) -> F {
        self.x.value() + self.bit.value() * self.x_change.value()
    }

    fn y_value(&self) -> F {
        self.y.value() + self.bit.value() * self.y_change.value()
    }
}

/// A step's slopes.
struct Slopes<F> {
    first: Linear<F>,
    second: Linear<F>,
}

impl<C: NativeCurve> Point<C> {
    /// The multiple. Takes 2 full-size variables a bit and 10 more, and a bit.
    #[must_use]
    pub fn multiply(&self, circuit: &mut Circuit<C::Base>, multiplier: &Multiplier<C::Base>) -> Self {
        let base = self.or_generator(circuit);
        let addends = addends::<C>(circuit, &base, &multiplier.bits);
        let (last_x, last_y) = ladder::<C>(circuit, &base, &addends);

        let kept = Linear::one() - self.identity.clone();
        let kept = circuit.product(&(Linear::one() - multiplier.is_zero.clone()), &kept);
        Self {
            x: circuit.product(&kept, &last_x),
            y: circuit.product(&kept, &last_y),
            identity: Linear::one() - kept,
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

/// What the steps add, from the highest bit's on.
fn addends<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    (x, y): &(Linear<C::Base>, Linear<C::Base>),
    bits: &[Linear<C::Base>],
) -> Vec<Addend<C::Base>> {
    let beta = C::beta();
    // T - phi(T), by the line through T and -phi(T) = (beta x, -y), which differ in x as x is not 0.
    let run = x * (C::Base::ONE - beta);
    let rise = y * C::Base::from(2);
    let slope = circuit.witness(rise.value() * run.value().invert().unwrap_or(C::Base::ZERO));
    circuit.enforce_product(&slope, &run, &rise);
    let difference_x = circuit.witness(slope.value().square() - x.value() - beta * x.value());
    circuit.enforce_product(&slope, &slope, &(&difference_x + &(x * (C::Base::ONE + beta))));
    let difference_y = circuit.witness(slope.value() * (x.value() - difference_x.value()) - y.value());
    circuit.enforce_product(&slope, &(x - &difference_x), &(&difference_y + y));

    let (of_phi, of_square) = (x * beta, x * beta.square());
    let minus_y = -y.clone();
    let signed = |positive: bool, y: &Linear<C::Base>| if positive { y.clone() } else { -y.clone() };
    let LadderDigits { a, g } = LadderDigits::of::<C>();
    (0..SHORT_BITS)
        .rev()
        .map(|index| {
            let (shifted, positive) = (a[index], g[index]);
            // f phi(T), and beside it T + f phi(T) or -T + f phi(T).
            let alone = (of_phi.clone(), signed(positive, y));
            let beside = if shifted == positive {
                (difference_x.clone(), signed(!positive, &difference_y))
            } else {
                (of_square.clone(), signed(positive, &minus_y))
            };
            let (zero, one) = if shifted { (beside, alone) } else { (alone, beside) };
            Addend {
                bit: bits[index].clone(),
                x_change: &one.0 - &zero.0,
                y_change: &one.1 - &zero.1,
                x: zero.0,
                y: zero.1,
            }
        })
        .collect()
}

/// The constant digits of the offset, least first.
struct LadderDigits {
    a: [bool; SHORT_BITS],
    g: [bool; SHORT_BITS],
}

impl LadderDigits {
    fn of<C: NativeCurve>() -> Self {
        let bits = |number: u128| std::array::from_fn(|index| number >> index & 1 == 1);
        Self { a: bits(C::OFFSET.a), g: bits(C::OFFSET.g) }
    }
}

/// The coordinates of the last accumulator.
fn ladder<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    (x, y): &(Linear<C::Base>, Linear<C::Base>),
    addends: &[Addend<C::Base>],
) -> (Linear<C::Base>, Linear<C::Base>) {
    let start_x = x * C::beta();
    let values = Values::<C>::of((start_x.value(), y.value()), addends);
    let tangent = circuit.witness(values.tangent);
    let slopes: Vec<_> = values
        .slopes
        .iter()
        .map(|(first, second)| Slopes { first: circuit.witness(*first), second: circuit.witness(*second) })
        .collect();
    let (last_x, last_y) = (circuit.witness(values.last.0), circuit.witness(values.last.1));

    let first_step =
        [&slopes[0].first, &slopes[0].second, &addends[0].bit, &addends[0].x, &addends[0].x_change];
    let inputs: Vec<_> = [&tangent, &start_x, y].into_iter().chain(first_step).collect();
    circuit.enforce(START, start, &inputs);

    // The doubling before the first step, as a step: 2 phi(T) has x = tangent^2 - 2 x.
    let zero = Linear::zero();
    let doubled = &start_x * -C::Base::from(2);
    let before = [&zero, &tangent, &zero, &doubled, &zero];
    for (index, (addend, slope)) in addends.iter().zip(&slopes).enumerate() {
        let before = match index.checked_sub(1) {
            None => before,
            Some(before) => x_inputs(&slopes[before], &addends[before]),
        };
        let current = x_inputs(slope, addend);
        let common = before.into_iter().chain(current).chain([&addend.y, &addend.y_change]);
        if let (Some(slope), Some(addend)) = (slopes.get(index + 1), addends.get(index + 1)) {
            let inputs: Vec<_> = common.chain(x_inputs(slope, addend)).collect();
            circuit.enforce(STEP, step, &inputs);
        } else {
            let inputs: Vec<_> = common.chain([&last_x, &last_y]).collect();
            circuit.enforce(LAST, last, &inputs);
        }
    }
    (last_x, last_y)
}

/// What decides the horizontal coordinate of the accumulator after a step.
fn x_inputs<'a, F>(slopes: &'a Slopes<F>, addend: &'a Addend<F>) -> [&'a Linear<F>; 5] {
    [&slopes.first, &slopes.second, &addend.bit, &addend.x, &addend.x_change]
}

/// The values of a ladder's variables.
struct Values<C: NativeCurve> {
    tangent: C::Base,
    slopes: Vec<(C::Base, C::Base)>,
    last: (C::Base, C::Base),
}

impl<C: NativeCurve> Values<C> {
    /// All accumulators first, in projective coordinates; then two inversions for all of them.
    fn of((x, y): (C::Base, C::Base), addends: &[Addend<C::Base>]) -> Self {
        let affine = |x, y| Option::<C>::from(C::from_xy(x, y)).unwrap_or_else(C::identity);
        let mut accumulator = affine(x, y).to_curve();
        accumulator = accumulator + accumulator;
        let mut points = Vec::with_capacity(2 * addends.len() + 1);
        for addend in addends {
            let sum = accumulator + affine(addend.x_value(), addend.y_value());
            points.extend([accumulator, sum]);
            accumulator = sum + accumulator;
        }
        points.push(accumulator);
        let mut normal = vec![C::identity(); points.len()];
        C::Curve::batch_normalize(&points, &mut normal);
        let points: Vec<_> = normal.into_iter().map(coordinates).collect();

        let mut runs = vec![y.double()];
        for (pair, addend) in points.chunks_exact(2).zip(addends) {
            runs.extend([pair[0].0 - addend.x_value(), pair[0].0 - pair[1].0]);
        }
        runs.iter_mut().batch_invert();
        let slopes = points.chunks_exact(2).zip(addends).zip(runs[1..].chunks_exact(2));
        let slopes = slopes.map(|((pair, addend), runs)| {
            ((pair[0].1 - addend.y_value()) * runs[0], (pair[0].1 - pair[1].1) * runs[1])
        });
        Self {
            tangent: x.square() * C::Base::from(3) * runs[0],
            slopes: slopes.collect(),
            last: points[points.len() - 1],
        }
    }
}

const START: &str = "ladder, start";
const STEP: &str = "ladder, step";
const LAST: &str = "ladder, last step";

/// A step's inputs by their number in a gate, and what they stand for.
#[derive(Clone, Copy)]
struct Step {
    /// Of the first slope, the second, the bit, and the coordinates x for 0 and from there to 1.
    first: usize,
}

impl Step {
    fn input<F: PrimeField>(self, offset: usize) -> Expression<F> {
        Expression::Input(self.first + offset)
    }

    fn addend_x<F: PrimeField>(self) -> Expression<F> {
        self.input::<F>(3) + self.input::<F>(2) * self.input(4)
    }

    /// The accumulator's x after the step.
    fn next_x<F: PrimeField>(self) -> Expression<F> {
        let (first, second) = (|| self.input::<F>(0), || self.input::<F>(1));
        second() * second() - first() * first() + self.addend_x()
    }

    /// Twice the accumulator's y before the step, given its x.
    fn twice_y<F: PrimeField>(self, x: Expression<F>) -> Expression<F> {
        let (first, second) = (|| self.input::<F>(0), || self.input::<F>(1));
        (first() + second()) * (x * F::from(2) + self.addend_x() - first() * first())
    }
}

/// Inputs: the slope of the tangent at phi(T), its coordinates, the first step.
fn start<F: PrimeField>() -> Gate<F> {
    let (tangent, x, y) = (|| Expression::Input(0), || Expression::Input(1), || Expression::Input(2));
    let two = F::from(2);
    let double_x = || tangent() * tangent() - x() * two;
    let double_y = tangent() * (x() - double_x()) - y();
    let expressions = vec![
        y() * tangent() * two - x() * x() * F::from(3),
        double_y * two - Step { first: 3 }.twice_y(double_x()),
    ];
    Gate { name: START.into(), inputs: 8, expressions }
}

/// The first line of the step whose inputs begin at 5, and twice the y that its second line leads to; the step before begins
/// at 0, and y of what is added is at 10 and 11.
fn lines<F: PrimeField>() -> (Expression<F>, Expression<F>) {
    let (before, current) = (Step { first: 0 }, Step { first: 5 });
    let two = F::from(2);
    let (x, twice_y) = (|| before.next_x::<F>(), || current.twice_y::<F>(before.next_x()));
    let addend_y = Expression::Input(10) + current.input::<F>(2) * Expression::Input(11);
    let first_line = current.input::<F>(0) * (x() - current.addend_x()) * two - twice_y() + addend_y * two;
    let next_twice_y = current.input::<F>(1) * (x() - current.next_x()) * two - twice_y();
    (first_line, next_twice_y)
}

/// Inputs: the step before, the step, y of what it adds, the next step.
fn step<F: PrimeField>() -> Gate<F> {
    let (first_line, next_twice_y) = lines();
    let next_x = Step { first: 5 }.next_x::<F>();
    let second_line = next_twice_y - Step { first: 12 }.twice_y(next_x);
    Gate { name: STEP.into(), inputs: 17, expressions: vec![first_line, second_line] }
}

/// Inputs: the step before, the step, y of what it adds, the result.
fn last<F: PrimeField>() -> Gate<F> {
    let (first_line, next_twice_y) = lines();
    let x = Step { first: 5 }.next_x::<F>() - Expression::Input(12);
    let y = next_twice_y - Expression::Input(13) * F::from(2);
    Gate { name: LAST.into(), inputs: 14, expressions: vec![first_line, x, y] }
}
