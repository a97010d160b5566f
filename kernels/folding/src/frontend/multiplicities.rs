//! How often each tuple of a table is looked up in a step.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::shape::{Lookup, StepShape};

/// How often tuples are looked up in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiplicities {
    /// For each table, how often each of its tuples is looked up, by all lookups into it together.
    pub counts: Vec<Vec<u64>>,
    /// What is looked up and not in its table: the number of the lookup, and that of its row.
    pub missing: Vec<(usize, usize)>,
}

impl<F: PrimeField> StepShape<F> {
    /// How often tuples are looked up by a step whose variables have these values.
    pub fn multiplicities(&self, values: &[F]) -> Multiplicities {
        let mut counts: Vec<Vec<u64>> = self.tables.iter().map(|table| vec![0; table.len()]).collect();
        let mut missing = Vec::new();
        for (number, lookup) in self.lookups.iter().enumerate() {
            for (row, found) in self.found(lookup, values).into_iter().enumerate() {
                match found {
                    Some(tuple) => counts[lookup.table][tuple as usize] += 1,
                    None => missing.push((number, row)),
                }
            }
        }
        Multiplicities { counts, missing }
    }

    /// For each row of a lookup, the number of the tuple it finds.
    fn found(&self, lookup: &Lookup<F>, values: &[F]) -> Vec<Option<u32>> {
        let table = &self.tables[lookup.table];
        (0..lookup.rows.len())
            .into_par_iter()
            .with_min_len(512)
            .map_init(Vec::new, |tuple, row| {
                self.tuple(lookup, row, values, tuple);
                table.find(tuple)
            })
            .collect()
    }

    /// Writes over `tuple` what a row looks up.
    pub(super) fn tuple(&self, lookup: &Lookup<F>, row: usize, values: &[F], tuple: &mut Vec<F>) {
        let operands = lookup.rows.row(row);
        let input = |input: usize| self.constants.value(operands[input], values);
        tuple.clear();
        tuple.extend(lookup.expressions.iter().map(|expression| expression.evaluate(&input)));
    }
}
