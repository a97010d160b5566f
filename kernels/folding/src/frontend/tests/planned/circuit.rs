//! A plan as a step circuit.

use std::collections::HashMap;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::super::*;
use super::{PLAN, Plan, PlannedGate};

impl PlannedGate {
    fn polynomial(&self, cells: &mut VirtualCells<'_, Fr>, config: &PlanConfig) -> Expression<Fr> {
        let monomials = self.monomials.iter().map(|(by, factors)| {
            let factors = factors.iter().map(|(fixed, column, rotation)| match fixed {
                true => cells.query_fixed(config.fixed[*column], Rotation(*rotation)),
                false => cells.query_advice(config.advice[*column], Rotation(*rotation)),
            });
            factors.product::<Expression<Fr>>() * Fr::from(*by)
        });
        monomials.sum()
    }
}

#[derive(Clone, Debug)]
pub(in super::super) struct PlanConfig {
    advice: Vec<Column<Advice>>,
    fixed: Vec<Column<Fixed>>,
    flags: Vec<Column<Fixed>>,
    switches: Vec<(Selector, Selector)>,
    looking: Selector,
    table: (TableColumn, TableColumn),
}

impl StepCircuit<2, Fr> for Plan {
    type Config = PlanConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> PlanConfig {
        let plan = PLAN.with_borrow(|plan| plan.clone().unwrap());
        let gates = plan.gates.len();
        let config = PlanConfig {
            advice: (0..plan.columns + gates + 1).map(|_| cs.advice_column()).collect(),
            fixed: (0..2).map(|_| cs.fixed_column()).collect(),
            flags: (0..gates).map(|_| cs.fixed_column()).collect(),
            switches: plan
                .gates
                .iter()
                .map(|gate| {
                    (
                        if gate.form == 0 { cs.selector() } else { cs.complex_selector() },
                        cs.complex_selector(),
                    )
                })
                .collect(),
            looking: cs.complex_selector(),
            table: (cs.lookup_table_column(), cs.lookup_table_column()),
        };
        let constants = cs.fixed_column();
        cs.enable_constant(constants);
        config.advice.iter().for_each(|column| cs.enable_equality(*column));
        config.fixed.iter().for_each(|column| cs.enable_equality(*column));
        for (number, gate) in plan.gates.iter().enumerate() {
            let (one, two) = config.switches[number];
            cs.create_gate("planned", |cells| {
                let value = cells.query_advice(config.advice[plan.columns + number], Rotation::cur());
                let wrong = gate.polynomial(cells, &config) - value.clone();
                let unit = || Expression::Constant(Fr::ONE);
                if gate.form == 0 {
                    return Constraints::with_selector(one, vec![("simple", wrong)]);
                }
                let (one, two) = (cells.query_selector(one), cells.query_selector(two));
                let flag = cells.query_fixed(config.flags[number], Rotation::cur());
                Constraints::without_selector(match gate.form {
                    1 => vec![
                        ("complex", one.clone() * wrong),
                        ("boolean", one.clone() * (one - unit()) * value),
                    ],
                    2 => vec![(
                        "either",
                        one.clone() * (unit() - two.clone()) * wrong.clone() + two * (unit() - one) * wrong,
                    )],
                    _ => vec![("flag", flag * wrong)],
                })
            });
        }
        cs.lookup("pairs", |cells| {
            let looking = cells.query_selector(config.looking);
            let first = cells.query_advice(config.advice[0], Rotation::cur());
            let second = cells.query_advice(config.advice[plan.columns], Rotation::cur());
            vec![(looking.clone() * first, config.table.0), (looking * second, config.table.1)]
        });
        config
    }

    fn synthesize_step(
        &self,
        config: PlanConfig,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 2],
    ) -> Result<[AssignedCell<Fr, Fr>; 2], SynthesisError> {
        layouter.assign_table(
            || "pairs",
            |mut table| {
                for (row, pair) in self.table.iter().enumerate() {
                    table.assign_cell(|| "", config.table.0, row, || Value::known(pair.0))?;
                    table.assign_cell(|| "", config.table.1, row, || Value::known(pair.1))?;
                }
                Ok(())
            },
        )?;
        let outputs = layouter.assign_region(
            || "planned",
            |mut region| {
                let mut assigned = HashMap::new();
                let mut fixed = HashMap::new();
                for (column, values) in self.fixed.iter().enumerate() {
                    for (row, value) in values.iter().enumerate() {
                        let value = Value::known(Fr::from(*value));
                        fixed.insert(
                            (column, row),
                            region.assign_fixed(|| "", config.fixed[column], row, || value)?.cell(),
                        );
                    }
                }
                for column in 0..config.advice.len() {
                    for row in 0..self.rows {
                        if self.values.contains_key(&(column, row)) {
                            let value = Value::known(self.value((column, row)));
                            let cell = region.assign_advice(|| "", config.advice[column], row, || value)?;
                            assigned.insert((column, row), cell);
                        }
                    }
                }
                for (number, gate) in self.gates.iter().enumerate() {
                    for (row, (one, two)) in gate.switches.iter().enumerate() {
                        if *one {
                            config.switches[number].0.enable(&mut region, row)?;
                        }
                        if *two && gate.form > 0 {
                            config.switches[number].1.enable(&mut region, row)?;
                        }
                        let flag = Value::known(Fr::from(2 * u64::from(*one)));
                        region.assign_fixed(|| "", config.flags[number], row, || flag)?;
                    }
                }
                for row in &self.lookups {
                    config.looking.enable(&mut region, *row)?;
                }
                for (left, right) in &self.copies {
                    region.constrain_equal(assigned[left].cell(), assigned[right].cell())?;
                }
                for (cell, constant) in &self.fixed_copies {
                    region.constrain_equal(assigned[cell].cell(), fixed[constant])?;
                }
                for (cell, value) in &self.constants {
                    region.constrain_constant(assigned[cell].cell(), *value)?;
                }
                for (cell, input) in &self.input_copies {
                    region.constrain_equal(z_i[*input].cell(), assigned[cell].cell())?;
                }
                Ok(self.outputs.map(|cell| assigned[&cell].clone()))
            },
        )?;
        Ok(outputs)
    }
}
