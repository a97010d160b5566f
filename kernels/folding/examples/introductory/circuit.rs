//! A step circuit with one gate: `z_out = z_in^3 + z_in + 5`.

use elastic_folding::prelude::ff::PrimeField;
use elastic_folding::prelude::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Expression, Layouter, Rotation, Selector,
    StepCircuit, SynthesisError,
};

/// The step. It has no witness beyond its input, on which alone it depends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cubic;

/// The columns of [`Cubic`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct CubicConfig {
    input: Column<Advice>,
    output: Column<Advice>,
    enabled: Selector,
}

impl<F: PrimeField> StepCircuit<1, F> for Cubic {
    type Config = CubicConfig;

    fn configure(cs: &mut ConstraintSystem<F>) -> CubicConfig {
        let config =
            CubicConfig { input: cs.advice_column(), output: cs.advice_column(), enabled: cs.selector() };
        // The input is copied from the step before, and the output to the step after.
        cs.enable_equality(config.input);
        cs.enable_equality(config.output);
        cs.create_gate("cubic", |cells| {
            let x = cells.query_advice(config.input, Rotation::cur());
            let y = cells.query_advice(config.output, Rotation::cur());
            let five = Expression::Constant(F::from(5));
            let cube = x.clone() * x.clone() * x.clone();
            Constraints::with_selector(config.enabled, vec![("y = x^3 + x + 5", cube + x + five - y)])
        });
        config
    }

    fn synthesize_step(
        &self,
        config: CubicConfig,
        layouter: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; 1],
    ) -> Result<[AssignedCell<F, F>; 1], SynthesisError> {
        let output = layouter.assign_region(
            || "cubic",
            |mut region| {
                config.enabled.enable(&mut region, 0)?;
                let x = z_i[0].copy_advice(|| "x", &mut region, config.input, 0)?;
                let y = x.value().map(|x| x.square() * x + x + F::from(5));
                region.assign_advice(|| "y", config.output, 0, || y)
            },
        )?;
        Ok([output])
    }
}
