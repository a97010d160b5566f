//! The rows of the ladder, of degree 3 in the slopes.

use halo2curves::ff::PrimeField;

use crate::circuit::Gate;
use crate::relation::Expression;

pub(super) const START: &str = "ladder, start";
pub(super) const BIT: &str = "ladder, bit";
pub(super) const LAST: &str = "ladder, last bit";

/// A bit's inputs by their number in a gate, and their meaning.
#[derive(Clone, Copy)]
struct Bit {
    /// Of the first slope, the second, the bit, and the coordinates x for 0 and from there to 1.
    first: usize,
}

impl Bit {
    fn input<F: PrimeField>(self, offset: usize) -> Expression<F> {
        Expression::Input(self.first + offset)
    }

    fn addend_x<F: PrimeField>(self) -> Expression<F> {
        self.input::<F>(3) + self.input::<F>(2) * self.input(4)
    }

    /// The accumulator's x after the bit.
    fn next_x<F: PrimeField>(self) -> Expression<F> {
        let (first, second) = (|| self.input::<F>(0), || self.input::<F>(1));
        second() * second() - first() * first() + self.addend_x()
    }

    /// Twice the accumulator's y before the bit, given its x.
    fn twice_y<F: PrimeField>(self, x: Expression<F>) -> Expression<F> {
        let (first, second) = (|| self.input::<F>(0), || self.input::<F>(1));
        (first() + second()) * (x * F::from(2) + self.addend_x() - first() * first())
    }
}

/// Inputs: the slope of the tangent at phi(T), its coordinates, the first bit.
pub(super) fn start<F: PrimeField>() -> Gate<F> {
    let (tangent, x, y) = (|| Expression::Input(0), || Expression::Input(1), || Expression::Input(2));
    let two = F::from(2);
    let double_x = || tangent() * tangent() - x() * two;
    let double_y = tangent() * (x() - double_x()) - y();
    let expressions = vec![
        y() * tangent() * two - x() * x() * F::from(3),
        double_y * two - Bit { first: 3 }.twice_y(double_x()),
    ];
    Gate { name: START.into(), inputs: 8, expressions }
}

/// The first line of the bit whose inputs begin at 5, and twice the y that its second line leads to; the bit before begins
/// at 0, and y of what is added is at 10 and 11.
fn lines<F: PrimeField>() -> (Expression<F>, Expression<F>) {
    let (before, current) = (Bit { first: 0 }, Bit { first: 5 });
    let two = F::from(2);
    let (x, twice_y) = (|| before.next_x::<F>(), || current.twice_y::<F>(before.next_x()));
    let addend_y = Expression::Input(10) + current.input::<F>(2) * Expression::Input(11);
    let first_line = current.input::<F>(0) * (x() - current.addend_x()) * two - twice_y() + addend_y * two;
    let next_twice_y = current.input::<F>(1) * (x() - current.next_x()) * two - twice_y();
    (first_line, next_twice_y)
}

/// Inputs: the bit before, the bit, y of what it adds, the next bit.
pub(super) fn bit<F: PrimeField>() -> Gate<F> {
    let (first_line, next_twice_y) = lines();
    let next_x = Bit { first: 5 }.next_x::<F>();
    let second_line = next_twice_y - Bit { first: 12 }.twice_y(next_x);
    Gate { name: BIT.into(), inputs: 17, expressions: vec![first_line, second_line] }
}

/// Inputs: the bit before, the bit, y of what it adds, the result.
pub(super) fn last<F: PrimeField>() -> Gate<F> {
    let (first_line, next_twice_y) = lines();
    let x = Bit { first: 5 }.next_x::<F>() - Expression::Input(12);
    let y = next_twice_y - Expression::Input(13) * F::from(2);
    Gate { name: LAST.into(), inputs: 14, expressions: vec![first_line, x, y] }
}
