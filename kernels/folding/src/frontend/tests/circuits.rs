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
