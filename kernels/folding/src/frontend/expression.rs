//! Polynomials over the inputs of a row.

use halo2curves::ff::PrimeField;

/// A polynomial over the inputs of a row, as a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr<F> {
    /// An element of the field.
    Constant(F),
    /// The input of this number, counted from 0.
    Input(usize),
    /// The sum of two polynomials.
    Sum(Box<Expr<F>>, Box<Expr<F>>),
    /// The product of two polynomials.
    Product(Box<Expr<F>>, Box<Expr<F>>),
    /// A polynomial times an element of the field.
    Scaled(Box<Expr<F>>, F),
    /// A polynomial times -1.
    Negated(Box<Expr<F>>),
}

impl<F: PrimeField> Expr<F> {
    /// `left + right`.
    pub fn sum(left: Self, right: Self) -> Self {
        Self::Sum(Box::new(left), Box::new(right))
    }

    /// `left * right`.
    pub fn product(left: Self, right: Self) -> Self {
        Self::Product(Box::new(left), Box::new(right))
    }

    /// The degree in the inputs for which `counts` holds: the others are constants of their rows.
    pub fn degree(&self, counts: &impl Fn(usize) -> bool) -> usize {
        match self {
            Self::Constant(_) => 0,
            Self::Input(input) => usize::from(counts(*input)),
            Self::Sum(left, right) => left.degree(counts).max(right.degree(counts)),
            Self::Product(left, right) => left.degree(counts) + right.degree(counts),
            Self::Scaled(of, _) | Self::Negated(of) => of.degree(counts),
        }
    }

    /// The value where input `i` has the value `input(i)`.
    pub fn evaluate(&self, input: &impl Fn(usize) -> F) -> F {
        match self {
            Self::Constant(value) => *value,
            Self::Input(number) => input(*number),
            Self::Sum(left, right) => left.evaluate(input) + right.evaluate(input),
            Self::Product(left, right) => left.evaluate(input) * right.evaluate(input),
            Self::Scaled(of, by) => of.evaluate(input) * by,
            Self::Negated(of) => -of.evaluate(input),
        }
    }

    /// The value, where it follows from the inputs that `known` has a value for.
    ///
    /// A factor that is 0 decides a product alone. Terms that cancel are not looked for: `x - x` is not known.
    pub fn value_from(&self, known: &impl Fn(usize) -> Option<F>) -> Option<F> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Input(number) => known(*number),
            Self::Sum(left, right) => Some(left.value_from(known)? + right.value_from(known)?),
            Self::Product(left, right) => match left.value_from(known) {
                Some(left) if left.is_zero_vartime() => Some(F::ZERO),
                left => {
                    let right = right.value_from(known)?;
                    if right.is_zero_vartime() { Some(F::ZERO) } else { left.map(|left| left * right) }
                }
            },
            Self::Scaled(_, by) if by.is_zero_vartime() => Some(F::ZERO),
            Self::Scaled(of, by) => of.value_from(known).map(|value| value * by),
            Self::Negated(of) => of.value_from(known).map(|value| -value),
        }
    }

    /// The same polynomial with each input put in place of itself, and what is constant folded.
    pub fn replace(&self, with: &impl Fn(usize) -> Self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Input(number) => with(*number),
            Self::Sum(left, right) => match (left.replace(with), right.replace(with)) {
                (Self::Constant(left), Self::Constant(right)) => Self::Constant(left + right),
                (Self::Constant(zero), other) | (other, Self::Constant(zero)) if zero.is_zero_vartime() => {
                    other
                }
                (left, right) => Self::sum(left, right),
            },
            Self::Product(left, right) => match (left.replace(with), right.replace(with)) {
                (Self::Constant(left), Self::Constant(right)) => Self::Constant(left * right),
                (Self::Constant(by), of) | (of, Self::Constant(by)) => of.times(by),
                (left, right) => Self::product(left, right),
            },
            Self::Scaled(of, by) => of.replace(with).times(*by),
            Self::Negated(of) => match of.replace(with) {
                Self::Constant(value) => Self::Constant(-value),
                Self::Negated(of) => *of,
                of => Self::Negated(Box::new(of)),
            },
        }
    }

    fn times(self, by: F) -> Self {
        match self {
            _ if by.is_zero_vartime() => Self::Constant(F::ZERO),
            Self::Constant(value) => Self::Constant(value * by),
            of if by == F::ONE => of,
            Self::Scaled(of, before) => of.times(before * by),
            of => Self::Scaled(Box::new(of), by),
        }
    }

    /// Calls `see` with the number of each input that occurs, as often as it does.
    pub fn visit_inputs(&self, see: &mut impl FnMut(usize)) {
        match self {
            Self::Constant(_) => {}
            Self::Input(number) => see(*number),
            Self::Sum(left, right) | Self::Product(left, right) => {
                left.visit_inputs(see);
                right.visit_inputs(see);
            }
            Self::Scaled(of, _) | Self::Negated(of) => of.visit_inputs(see),
        }
    }
}
