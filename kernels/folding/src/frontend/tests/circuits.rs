//! Circuits that tests share.

use halo2curves::bn256::Fr;

use super::super::*;

/// `z_out = z_in^3 + z_in + constant`, one row a step, `repeats` times.
#[derive(Clone, Debug)]
pub(super) struct Cubic {
    pub(super) repeats: usize,
    pub(super) constant: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CubicConfig {
    pub(super) input: Column<Advice>,
    pub(super) output: Column<Advice>,
    pub(super) constant: Column<Fixed>,
    pub(super) enabled: Selector,
}

impl StepCircuit<1, Fr> for Cubic {
    type Config = CubicConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> CubicConfig {
        let (input, output, constant) = (cs.advice_column(), cs.advice_column(), cs.fixed_column());
        let enabled = cs.selector();
        cs.enable_equality(input);
        cs.enable_equality(output);
        cs.create_gate("cubic", |cells| {
            let x = cells.query_advice(input, Rotation::cur());
            let y = cells.query_advice(output, Rotation::cur());
            let c = cells.query_fixed(constant, Rotation::cur());
            Constraints::with_selector(
                enabled,
                vec![("y = x^3 + x + c", x.clone() * x.clone() * x.clone() + x + c - y)],
            )
        });
        CubicConfig { input, output, constant, enabled }
    }

    fn synthesize_step(
        &self,
        config: CubicConfig,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let mut cell = z_i[0].clone();
        for _ in 0..self.repeats {
            cell = layouter.assign_region(
                || "cubic",
                |mut region| {
                    config.enabled.enable(&mut region, 0)?;
                    let constant = Fr::from(self.constant);
                    region.assign_fixed(|| "constant", config.constant, 0, || Value::known(constant))?;
                    let x = cell.copy_advice(|| "x", &mut region, config.input, 0)?;
                    let y = x.value().map(|x| x.square() * x + x + constant);
                    region.assign_advice(|| "y", config.output, 0, || y)
                },
            )?;
        }
        Ok([cell])
    }
}

/// Looks up pairs of a number below 256 and its square, one a row; then a copy of the input, plus `copied`.
#[derive(Clone, Debug)]
pub(super) struct Squares {
    pub(super) looked_up: Vec<u64>,
    pub(super) copied: u64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct SquaresConfig {
    columns: [Column<Advice>; 2],
    looking: Selector,
    table: [TableColumn; 2],
}

impl StepCircuit<1, Fr> for Squares {
    type Config = SquaresConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> SquaresConfig {
        let columns = [cs.advice_column(), cs.advice_column()];
        let looking = cs.complex_selector();
        let table = [cs.lookup_table_column(), cs.lookup_table_column()];
        cs.enable_equality(columns[0]);
        cs.lookup("squares", |cells| {
            let looking = cells.query_selector(looking);
            let value =
                |cells: &mut VirtualCells<'_, Fr>, column| cells.query_advice(column, Rotation::cur());
            vec![
                (looking.clone() * value(cells, columns[0]), table[0]),
                (looking * value(cells, columns[1]), table[1]),
            ]
        });
        SquaresConfig { columns, looking, table }
    }

    fn synthesize_step(
        &self,
        config: SquaresConfig,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        layouter.assign_table(
            || "squares",
            |mut table| {
                for row in 0..256u64 {
                    let at = usize::try_from(row).unwrap();
                    table.assign_cell(|| "", config.table[0], at, || Value::known(Fr::from(row)))?;
                    table.assign_cell(|| "", config.table[1], at, || Value::known(Fr::from(row * row)))?;
                }
                Ok(())
            },
        )?;
        let output = layouter.assign_region(
            || "squares",
            |mut region| {
                for (row, number) in self.looked_up.iter().enumerate() {
                    config.looking.enable(&mut region, row)?;
                    let (number, square) = (Fr::from(*number), Fr::from(number * number));
                    region.assign_advice(|| "", config.columns[0], row, || Value::known(number))?;
                    region.assign_advice(|| "", config.columns[1], row, || Value::known(square))?;
                }
                let copied = z_i[0].value().map(|value| value + Fr::from(self.copied));
                let copy = region.assign_advice(|| "", config.columns[0], self.looked_up.len(), || copied)?;
                region.constrain_equal(copy.cell(), z_i[0].cell())?;
                Ok(copy)
            },
        )?;
        Ok([output])
    }
}
