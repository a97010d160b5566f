//! What tests of gadgets have in common: a circuit made twice, and the vectors of dishonest provers.

use std::collections::BTreeSet;

use halo2curves::ff::PrimeField;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};
use rayon::prelude::*;

use crate::circuit::Circuit;
use crate::relation::Relation;

/// A circuit's relation, and a vector that satisfies it.
pub(super) struct Built<F> {
    pub(super) relation: Relation<F>,
    pub(super) vector: Vec<F>,
}

/// How many variables a gadget takes, by their size in the vector of an example.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cost {
    /// Longer than 128 bits.
    pub(super) full: usize,
    /// From 3 to 128 bits.
    pub(super) medium: usize,
    /// Bits and digits.
    pub(super) small: usize,
}

/// The values that a circuit assigns.
pub(super) fn assigned<F: PrimeField>(circuit: impl FnOnce(&mut Circuit<F>)) -> Vec<F> {
    let mut assigned = Circuit::assigned();
    circuit(&mut assigned);
    assigned.vector()
}

/// Makes the circuit with rows recorded and without; the values must agree, and satisfy the rows.
pub(super) fn build<F: PrimeField>(circuit: impl Fn(&mut Circuit<F>)) -> Built<F> {
    let mut recorded = Circuit::recorded();
    circuit(&mut recorded);
    let vector = assigned(&circuit);
    assert_eq!(recorded.vector(), vector);
    let shape = recorded.into_shape().unwrap();
    let built = Built { relation: Relation::new(shape.layout, shape.groups), vector };
    assert_eq!(built.relation.violations(&built.vector, 3), vec![]);
    built
}

/// How many values are committed so far.
pub(super) fn committed<F: PrimeField>(circuit: &Circuit<F>) -> usize {
    circuit.layout().rounds[0]
}

/// An element as random as the number is not.
pub(super) fn random<F: PrimeField>(number: u64) -> F {
    F::random(ChaCha20Rng::seed_from_u64(number))
}

impl<F: PrimeField> Built<F> {
    /// What a vector violates: the names of groups, with the numbers of their polynomials.
    pub(super) fn violated(&self, vector: &[F]) -> BTreeSet<(String, usize)> {
        assert_eq!(vector.len(), self.vector.len());
        let violations = self.relation.violations(vector, usize::MAX);
        violations.into_iter().map(|violation| (violation.group, violation.polynomial)).collect()
    }

    /// Asserts that rows of this kind, and of no other, refuse the vector: without them it would be accepted.
    #[track_caller]
    pub(super) fn assert_refused_only_by(&self, group: &str, polynomial: usize, vector: &[F]) {
        assert_eq!(self.violated(vector), BTreeSet::from([(group.to_owned(), polynomial)]));
    }

    /// Asserts that no value can be another while the rest stay, but for those that are named as free.
    #[track_caller]
    pub(super) fn assert_each_value_is_bound(&self, free: &[(usize, &str)]) {
        (1..self.vector.len()).into_par_iter().for_each(|index| {
            let name = free.iter().find(|(free, _)| *free == index).map(|(_, name)| name);
            let value = self.vector[index];
            let changes = [F::ONE, -F::ONE, -value, value, -value.double(), random(9), F::from_u128(1 << 64)];
            for change in changes.into_iter().filter(|change| !bool::from(change.is_zero())) {
                let mut vector = self.vector.clone();
                vector[index] += change;
                let refused = !self.relation.violations(&vector, 1).is_empty();
                assert_eq!(
                    refused,
                    name.is_none(),
                    "value {index} ({name:?}) of {}: + {change:?}",
                    vector.len()
                );
            }
        });
    }

    /// How many variables of each size the circuit commits to, beyond the first few that the test gave.
    pub(super) fn cost(&self, given: usize) -> Cost {
        let bits = |value: &F| {
            let words = super::integer::words(value);
            words
                .iter()
                .rposition(|word| *word != 0)
                .map_or(0, |top| 64 * top + 64 - words[top].leading_zeros() as usize)
        };
        let mut cost = Cost { full: 0, medium: 0, small: 0 };
        for value in &self.vector[1 + given..] {
            match bits(value) {
                0..=2 => cost.small += 1,
                3..=128 => cost.medium += 1,
                _ => cost.full += 1,
            }
        }
        cost
    }
}
