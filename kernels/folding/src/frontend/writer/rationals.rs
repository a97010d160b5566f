//! Values assigned as fractions, whose denominators are inverted together.

use std::collections::HashSet;

use halo2curves::ff::{BatchInvert, PrimeField};

use super::super::operand::OperandId;

/// Fractions that were assigned, and what waits for them.
#[derive(Debug)]
pub(super) struct Rationals<F> {
    defined: Vec<usize>,
    /// Numbers of assignments that are compared once fractions are known.
    compared: Vec<usize>,
    /// The variables in `defined`.
    waiting: HashSet<u32>,
    /// Those of `defined` in their order.
    definitions: Fractions<F>,
    /// Those of `compared` in their order.
    comparisons: Fractions<F>,
}

#[derive(Debug)]
struct Fractions<F> {
    numerators: Vec<F>,
    denominators: Vec<F>,
}

impl<F: PrimeField> Fractions<F> {
    fn push(&mut self, numerator: F, denominator: F) {
        self.numerators.push(numerator);
        self.denominators.push(denominator);
    }

    /// The quotients. A denominator of 0 gives 0, as in the front end: batch inversion leaves zeros alone.
    fn quotients(mut self) -> impl Iterator<Item = F> {
        self.denominators.iter_mut().batch_invert();
        self.numerators.into_iter().zip(self.denominators).map(|(numerator, inverse)| numerator * inverse)
    }
}

impl<F> Default for Fractions<F> {
    fn default() -> Self {
        Self { numerators: Vec::new(), denominators: Vec::new() }
    }
}

impl<F> Default for Rationals<F> {
    fn default() -> Self {
        Self {
            defined: Vec::new(),
            compared: Vec::new(),
            waiting: HashSet::new(),
            definitions: Fractions::default(),
            comparisons: Fractions::default(),
        }
    }
}

impl<F: PrimeField> Rationals<F> {
    /// A variable has this value.
    pub(super) fn define(&mut self, variable: usize, numerator: F, denominator: F) {
        self.waiting.extend(u32::try_from(variable));
        self.defined.push(variable);
        self.definitions.push(numerator, denominator);
    }

    /// An assignment has this value, which is compared at the end.
    pub(super) fn compare(&mut self, assignment: usize, numerator: F, denominator: F) {
        self.compared.push(assignment);
        self.comparisons.push(numerator, denominator);
    }

    /// Whether an operand is a variable whose value is not known before the end.
    pub(super) fn waits_for(&self, operand: OperandId) -> bool {
        !self.waiting.is_empty()
            && operand.as_variable().is_some_and(|variable| self.waiting.contains(&variable))
    }

    /// Writes the values of variables, and returns those of the assignments that are left to compare.
    pub(super) fn evaluate(self, values: &mut [F]) -> Vec<(usize, F)> {
        for (variable, value) in self.defined.into_iter().zip(self.definitions.quotients()) {
            values[variable] = value;
        }
        self.compared.into_iter().zip(self.comparisons.quotients()).collect()
    }
}
