//! Linear combinations of variables, with their values.

use std::ops::{Add, Mul, Neg, Sub};

use halo2curves::ff::PrimeField;

/// What a circuit's rows speak of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// The constant 1.
    One,
    /// A public input, by its number.
    Public(u32),
    /// A challenge, by its number.
    Challenge(u32),
    /// A value that the prover commits to: the round, and the number in the round.
    Witness(u8, u32),
}

/// A linear combination of variables. A circuit that records no rows keeps only its value.
#[derive(Clone, Debug)]
pub struct Linear<F> {
    value: F,
    terms: Vec<(Variable, F)>,
}

impl<F: PrimeField> Linear<F> {
    pub(super) fn variable(variable: Variable, value: F, recorded: bool) -> Self {
        let terms = if recorded { vec![(variable, F::ONE)] } else { Vec::new() };
        Self { value, terms }
    }

    /// The constant.
    #[must_use]
    pub fn constant(value: F) -> Self {
        let terms = if bool::from(value.is_zero()) { Vec::new() } else { vec![(Variable::One, value)] };
        Self { value, terms }
    }

    /// The constant 0.
    #[must_use]
    pub fn zero() -> Self {
        Self::constant(F::ZERO)
    }

    /// The constant 1.
    #[must_use]
    pub fn one() -> Self {
        Self::constant(F::ONE)
    }

    /// The sum of terms, each scaled.
    #[must_use]
    pub fn sum<'a>(terms: impl IntoIterator<Item = (&'a Self, F)>) -> Self
    where
        F: 'a,
    {
        let mut sum = Self::zero();
        for (term, factor) in terms {
            sum.value += term.value * factor;
            sum.terms
                .extend(term.terms.iter().map(|(variable, coefficient)| (*variable, *coefficient * factor)));
        }
        sum
    }

    /// Its value under the assignment that is being made.
    #[must_use]
    pub fn value(&self) -> F {
        self.value
    }

    /// The terms with each variable once and no coefficient 0, by order of variables.
    pub(super) fn entries(&self) -> Vec<(Variable, F)> {
        let mut terms = self.terms.clone();
        terms.sort_by_key(|(variable, _)| *variable);
        terms.dedup_by(|(variable, coefficient), (previous, sum)| {
            let same = variable == previous;
            if same {
                *sum += *coefficient;
            }
            same
        });
        terms.retain(|(_, coefficient)| !bool::from(coefficient.is_zero()));
        terms
    }
}

impl<F: PrimeField> Add for Linear<F> {
    type Output = Self;
    fn add(mut self, other: Self) -> Self {
        self.value += other.value;
        self.terms.extend(other.terms);
        self
    }
}

impl<F: PrimeField> Add<&Self> for Linear<F> {
    type Output = Self;
    fn add(mut self, other: &Self) -> Self {
        self.value += other.value;
        self.terms.extend_from_slice(&other.terms);
        self
    }
}

impl<F: PrimeField> Add for &Linear<F> {
    type Output = Linear<F>;
    fn add(self, other: Self) -> Linear<F> {
        self.clone() + other
    }
}

impl<F: PrimeField> Neg for Linear<F> {
    type Output = Self;
    fn neg(self) -> Self {
        self * -F::ONE
    }
}

impl<F: PrimeField> Sub for Linear<F> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<F: PrimeField> Sub for &Linear<F> {
    type Output = Linear<F>;
    fn sub(self, other: Self) -> Linear<F> {
        self.clone() - other.clone()
    }
}

impl<F: PrimeField> Mul<F> for Linear<F> {
    type Output = Self;
    fn mul(mut self, factor: F) -> Self {
        self.value *= factor;
        for (_, coefficient) in &mut self.terms {
            *coefficient *= factor;
        }
        self
    }
}

impl<F: PrimeField> Mul<F> for &Linear<F> {
    type Output = Linear<F>;
    fn mul(self, factor: F) -> Linear<F> {
        self.clone() * factor
    }
}
