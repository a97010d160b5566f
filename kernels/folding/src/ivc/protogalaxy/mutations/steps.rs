//! A step circuit with a custom gate and a lookup of tuples.

use halo2curves::ff::PrimeField;

use crate::frontend::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Fixed, Layouter, Rotation, Selector,
    StepCircuit, SynthesisError, TableColumn, Value, VirtualCells,
};

/// The name of the gate.
pub(super) const OWN: &str = "mixed";
const ROWS: usize = 4;
const TABLE: u64 = 12;

/// `(x, y)` becomes `(x^2 y^3 + n + 5, x)`, four times, for numbers `n` that are looked up with their square and cube.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    pub(super) numbers: [u64; ROWS],
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MixedConfig {
    columns: [Column<Advice>; 5],
    constant: Column<Fixed>,
    enabled: Selector,
    looking: Selector,
    table: [TableColumn; 3],
}

impl<F: PrimeField> StepCircuit<2, F> for Mixed {
    type Config = MixedConfig;

    fn configure(cs: &mut ConstraintSystem<F>) -> MixedConfig {
        let columns = [0; 5].map(|_| cs.advice_column());
        let constant = cs.fixed_column();
        let (enabled, looking) = (cs.selector(), cs.complex_selector());
        let table = [0; 3].map(|_| cs.lookup_table_column());
        columns[..2].iter().for_each(|column| cs.enable_equality(*column));
        cs.create_gate(OWN, |cells| {
            let [x, y, n] = [0, 1, 2].map(|column| cells.query_advice(columns[column], Rotation::cur()));
            let [next_x, next_y] = [0, 1].map(|column| cells.query_advice(columns[column], Rotation::next()));
            let constant = cells.query_fixed(constant, Rotation::cur());
            let (squared, cubed) = (x.clone() * x.clone(), y.clone() * y.clone() * y);
            Constraints::with_selector(enabled, vec![squared * cubed + n + constant - next_x, x - next_y])
        });
        cs.lookup("squares and cubes", |cells| {
            let looking = cells.query_selector(looking);
            let value = |cells: &mut VirtualCells<'_, F>, column: usize| {
                cells.query_advice(columns[column], Rotation::cur())
            };
            (0..3).map(|element| (looking.clone() * value(cells, 2 + element), table[element])).collect()
        });
        MixedConfig { columns, constant, enabled, looking, table }
    }

    fn synthesize_step(
        &self,
        config: MixedConfig,
        layouter: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; 2],
    ) -> Result<[AssignedCell<F, F>; 2], SynthesisError> {
        layouter.assign_table(
            || "squares and cubes",
            |mut table| {
                for (row, number) in (0..TABLE).enumerate() {
                    for (column, power) in config.table.iter().zip(1..) {
                        table.assign_cell(
                            || "",
                            *column,
                            row,
                            || Value::known(F::from(number.pow(power))),
                        )?;
                    }
                }
                Ok(())
            },
        )?;
        Ok(layouter.assign_region(
            || "mixed",
            |mut region| {
                let mut x = z_i[0].copy_advice(|| "x", &mut region, config.columns[0], 0)?;
                let mut y = z_i[1].copy_advice(|| "y", &mut region, config.columns[1], 0)?;
                for (row, number) in self.numbers.iter().enumerate() {
                    config.enabled.enable(&mut region, row)?;
                    config.looking.enable(&mut region, row)?;
                    region.assign_fixed(|| "5", config.constant, row, || Value::known(F::from(5)))?;
                    for (column, power) in config.columns[2..].iter().zip(1..) {
                        let value = F::from(number.pow(power));
                        region.assign_advice(|| "power", *column, row, || Value::known(value))?;
                    }
                    let next = x.value().zip(y.value());
                    let next = next.map(|(x, y)| x.square() * y.square() * y + F::from(number + 5));
                    let old = x.value().copied();
                    x = region.assign_advice(|| "x", config.columns[0], row + 1, || next)?;
                    y = region.assign_advice(|| "y", config.columns[1], row + 1, || old)?;
                }
                Ok([x.clone(), y.clone()])
            },
        )?)
    }
}
