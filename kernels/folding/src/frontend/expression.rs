//! What set-up does with polynomials: constants are put in, and folded.

use halo2curves::ff::PrimeField;

use crate::relation::Expression;

impl<F: PrimeField> Expression<F> {
    /// The value, where it follows from the inputs that `known` has a value for.
    ///
    /// A factor that is 0 decides a product alone. Terms that cancel are not looked for: `x - x` is not known.
    pub(super) fn value_from(&self, known: &impl Fn(usize) -> Option<F>) -> Option<F> {
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
    pub(super) fn replace(&self, with: &impl Fn(usize) -> Self) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Input(number) => with(*number),
            Self::Sum(left, right) => match (left.replace(with), right.replace(with)) {
                (Self::Constant(left), Self::Constant(right)) => Self::Constant(left + right),
                (Self::Constant(zero), other) | (other, Self::Constant(zero)) if zero.is_zero_vartime() => {
                    other
                }
                (left, right) => left + right,
            },
            Self::Product(left, right) => match (left.replace(with), right.replace(with)) {
                (Self::Constant(left), Self::Constant(right)) => Self::Constant(left * right),
                (Self::Constant(by), of) | (of, Self::Constant(by)) => of.times(by),
                (left, right) => left * right,
            },
            Self::Scaled(of, by) => of.replace(with).times(*by),
            Self::Negated(of) => match of.replace(with) {
                Self::Constant(value) => Self::Constant(-value),
                Self::Negated(of) => *of,
                of => -of,
            },
        }
    }

    fn times(self, by: F) -> Self {
        match self {
            _ if by.is_zero_vartime() => Self::Constant(F::ZERO),
            Self::Constant(value) => Self::Constant(value * by),
            of if by == F::ONE => of,
            Self::Scaled(of, before) => of.times(before * by),
            of => of * by,
        }
    }

    /// Calls `see` with the number of each input that occurs, as often as it does.
    pub(super) fn visit_inputs(&self, see: &mut impl FnMut(usize)) {
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
