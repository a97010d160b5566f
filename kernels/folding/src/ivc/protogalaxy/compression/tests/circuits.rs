//! Steps that tests compress.

use halo2curves::ff::PrimeField;

use crate::frontend::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Layouter, Rotation, Selector, StepCircuit,
    SynthesisError, TableColumn, Value,
};

/// `(x, y)` becomes `((x + y)^5, x)`, so many times a step: MinRoot backwards, a cell an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quintic {
    pub(super) iterations: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct QuinticConfig {
    values: Column<Advice>,
    enabled: Selector,
}

impl<F: PrimeField> StepCircuit<2, F> for Quintic {
    type Config = QuinticConfig;

    fn configure(cs: &mut ConstraintSystem<F>) -> QuinticConfig {
        let (values, enabled) = (cs.advice_column(), cs.selector());
        cs.enable_equality(values);
        cs.create_gate("quintic", |cells| {
            let [y, x, next] = [0, 1, 2].map(|row| cells.query_advice(values, Rotation(row)));
            let sum = x + y;
            let square = sum.clone() * sum.clone();
            Constraints::with_selector(
                enabled,
                vec![("next = (x + y)^5", square.clone() * square * sum - next)],
            )
        });
        QuinticConfig { values, enabled }
    }

    fn synthesize_step(
        &self,
        config: QuinticConfig,
        layouter: &mut impl Layouter<F>,
        [x, y]: &[AssignedCell<F, F>; 2],
    ) -> Result<[AssignedCell<F, F>; 2], SynthesisError> {
        let outputs = layouter.assign_region(
            || "quintic",
            |mut region| {
                let mut y = y.copy_advice(|| "y", &mut region, config.values, 0)?;
                let mut x = x.copy_advice(|| "x", &mut region, config.values, 1)?;
                for row in 0..self.iterations {
                    config.enabled.enable(&mut region, row)?;
                    let next = x.value().zip(y.value()).map(|(x, y)| {
                        let sum = *x + y;
                        sum.square().square() * sum
                    });
                    y = x;
                    x = region.assign_advice(|| "next", config.values, row + 2, || next)?;
                }
                Ok([x, y])
            },
        )?;
        Ok(outputs)
    }
}

/// Looks the numbers below 4 up in a table of those below 8, and returns its input: a step of two rounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct LooksUp;

#[derive(Clone, Copy, Debug)]
pub(super) struct LooksUpConfig {
    values: Column<Advice>,
    looking: Selector,
    table: TableColumn,
}

impl<F: PrimeField> StepCircuit<2, F> for LooksUp {
    type Config = LooksUpConfig;

    fn configure(cs: &mut ConstraintSystem<F>) -> LooksUpConfig {
        let config = LooksUpConfig {
            values: cs.advice_column(),
            looking: cs.complex_selector(),
            table: cs.lookup_table_column(),
        };
        cs.lookup("below 8", |cells| {
            let looking = cells.query_selector(config.looking);
            vec![(looking * cells.query_advice(config.values, Rotation::cur()), config.table)]
        });
        config
    }

    fn synthesize_step(
        &self,
        config: LooksUpConfig,
        layouter: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; 2],
    ) -> Result<[AssignedCell<F, F>; 2], SynthesisError> {
        layouter.assign_table(
            || "below 8",
            |mut table| {
                (0..8).try_for_each(|row| {
                    table.assign_cell(|| "", config.table, row, || Value::known(F::from(row as u64)))
                })
            },
        )?;
        layouter.assign_region(
            || "lookups",
            |mut region| {
                for row in 0..4 {
                    config.looking.enable(&mut region, row)?;
                    let value = Value::known(F::from(row as u64));
                    region.assign_advice(|| "", config.values, row, || value)?;
                }
                Ok(())
            },
        )?;
        Ok(z_i.clone())
    }
}
