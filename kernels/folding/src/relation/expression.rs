//! Polynomials as they are written.

use std::ops::{Add, Mul, Neg, Sub};

use halo2curves::ff::PrimeField;

/// A polynomial in the inputs of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression<F> {
    /// The same at each row.
    Constant(F),
    /// The value of an input, by its number.
    Input(usize),
    /// A sum of two.
    Sum(Box<Self>, Box<Self>),
    /// A product of two.
    Product(Box<Self>, Box<Self>),
    /// A constant multiple.
    Scaled(Box<Self>, F),
    /// What adds up to 0 with it.
    Negated(Box<Self>),
}

impl<F: PrimeField> Expression<F> {
    /// The total degree, where inputs of `degrees[i] == 0` are constants of their rows.
    #[must_use]
    pub fn degree(&self, degrees: &[usize]) -> usize {
        match self {
            Self::Constant(_) => 0,
            Self::Input(index) => degrees[*index],
            Self::Sum(left, right) => left.degree(degrees).max(right.degree(degrees)),
            Self::Product(left, right) => left.degree(degrees) + right.degree(degrees),
            Self::Scaled(inner, _) | Self::Negated(inner) => inner.degree(degrees),
        }
    }

    /// The value where input `i` has the value `input(i)`.
    #[must_use]
    pub fn evaluate(&self, input: &impl Fn(usize) -> F) -> F {
        match self {
            Self::Constant(value) => *value,
            Self::Input(index) => input(*index),
            Self::Sum(left, right) => left.evaluate(input) + right.evaluate(input),
            Self::Product(left, right) => left.evaluate(input) * right.evaluate(input),
            Self::Scaled(inner, factor) => inner.evaluate(input) * factor,
            Self::Negated(inner) => -inner.evaluate(input),
        }
    }

    /// The fifth power: Poseidon's S-box.
    #[must_use]
    pub fn fifth_power(self) -> Self {
        let square = self.clone() * self.clone();
        square.clone() * square * self
    }
}

impl<F: PrimeField> Add for Expression<F> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::Sum(Box::new(self), Box::new(other))
    }
}

impl<F: PrimeField> Sub for Expression<F> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl<F: PrimeField> Mul for Expression<F> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self::Product(Box::new(self), Box::new(other))
    }
}

impl<F: PrimeField> Mul<F> for Expression<F> {
    type Output = Self;
    fn mul(self, factor: F) -> Self {
        Self::Scaled(Box::new(self), factor)
    }
}

impl<F: PrimeField> Neg for Expression<F> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::Negated(Box::new(self))
    }
}
