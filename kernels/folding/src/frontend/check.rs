//! Checks a step against its circuit.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::cell::CellName;
use super::setup::StepSetup;
use super::shape::{Gate, Rows, StepShape};
use super::step_circuit::StepCircuit;
use super::violation::{Violation, Violations};
use super::witness::StepWitness;
use crate::relation::Expression;

/// The violations that are reported: enough to see a pattern.
const VIOLATIONS_MAX: usize = 8;

impl<F: PrimeField> StepShape<F> {
    /// Checks that the gates hold of these values of the variables, and that what is looked up is in its table.
    pub fn check(&self, values: &[F]) -> Result<(), Violations<F>> {
        if values.len() != self.variables {
            return Err(Violations(vec![Violation::Values { expected: self.variables, got: values.len() }]));
        }
        let mut violations = Vec::new();
        for gate in &self.gates {
            for (row, expression) in self.violated(gate, values) {
                violations.push(Violation::Gate {
                    gate: gate.name.clone(),
                    constraint: gate.constraints[expression].clone(),
                    row: gate.rows.origins[row],
                    cells: self.cells(&gate.rows, row, values),
                });
            }
        }
        for (lookup, row) in self.multiplicities(values).missing {
            let lookup = &self.lookups[lookup];
            let mut tuple = Vec::new();
            self.tuple(lookup, row, values, &mut tuple);
            let (row, cells) = (lookup.rows.origins[row], self.cells(&lookup.rows, row, values));
            violations.push(Violation::Lookup { lookup: lookup.name.clone(), row, tuple, cells });
        }
        reported(violations)
    }

    /// The first rows in which a gate does not hold, with the number of the polynomial.
    fn violated(&self, gate: &Gate<F>, values: &[F]) -> Vec<(usize, usize)> {
        let violated = |row: usize| {
            let operands = gate.rows.row(row);
            let input = |input: usize| self.constants.value(operands[input], values);
            let wrong = |expression: &Expression<F>| !expression.evaluate(&input).is_zero_vartime();
            gate.expressions.iter().position(wrong).map(|expression| (row, expression))
        };
        let mut all: Vec<_> =
            (0..gate.rows.len()).into_par_iter().with_min_len(512).filter_map(violated).collect();
        all.truncate(VIOLATIONS_MAX);
        all
    }

    fn cells(&self, rows: &Rows, row: usize, values: &[F]) -> Vec<(CellName, F)> {
        let cell = |query: &super::Query| query.at(rows.origins[row], self.table_rows);
        let values = rows.row(row).iter().map(|operand| self.constants.value(*operand, values));
        rows.queries.iter().map(cell).zip(values).collect()
    }
}

impl<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>> StepSetup<ARITY, F, SC> {
    /// Checks that a step satisfies its circuit: copies, gates and lookups.
    pub fn check(&self, witness: &StepWitness<ARITY, F>) -> Result<(), Violations<F>> {
        let mut violations: Vec<_> = witness.conflicts.iter().copied().map(Violation::Copy).collect();
        if let Err(Violations(others)) = self.shape().check(&witness.values) {
            violations.extend(others);
        }
        reported(violations)
    }
}

fn reported<F>(mut violations: Vec<Violation<F>>) -> Result<(), Violations<F>> {
    violations.truncate(VIOLATIONS_MAX);
    if violations.is_empty() { Ok(()) } else { Err(Violations(violations)) }
}
