//! One step of MinRoot as a circuit: a column of roots, each of which is checked against the two before it.

use std::sync::Arc;

use elastic_folding::frontend::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Layouter, Rotation, Selector, StepCircuit,
    SynthesisError, Value,
};
use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

/// A step of as many iterations as there are roots, from `[x, y]` to `[x, y]`.
///
/// A row an iteration, and one committed value: the column has `y`, `x`, then the roots, so that each root `r` is
/// below the two elements of which `r^5` is the sum.
#[derive(Clone, Debug)]
pub struct MinRootCircuit {
    roots: Arc<[Fr]>,
}

/// Where the circuit is laid out.
#[derive(Clone, Copy, Debug)]
pub struct MinRootConfig {
    column: Column<Advice>,
    iteration: Selector,
}

impl MinRootCircuit {
    /// The step that has these roots, as [`crate::evaluate`] finds them. Others satisfy no circuit.
    #[must_use]
    pub fn new(roots: Arc<[Fr]>) -> Self {
        Self { roots }
    }

    /// A step of so many iterations whose roots are not known: what public parameters are made of.
    #[must_use]
    pub fn of_iterations(iterations: usize) -> Self {
        Self::new(vec![Fr::ZERO; iterations].into())
    }
}

impl StepCircuit<2, Fr> for MinRootCircuit {
    type Config = MinRootConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> MinRootConfig {
        let (column, iteration) = (cs.advice_column(), cs.selector());
        cs.enable_equality(column);
        cs.create_gate("MinRoot iteration", |cells| {
            let [y, x, root] = [0, 1, 2].map(|below| cells.query_advice(column, Rotation(below)));
            let square = root.clone() * root.clone();
            let fifth_power = square.clone() * square * root;
            Constraints::with_selector(
                iteration,
                vec![("the root's fifth power is x + y", x + y - fifth_power)],
            )
        });
        MinRootConfig { column, iteration }
    }

    fn synthesize_step(
        &self,
        config: MinRootConfig,
        layouter: &mut impl Layouter<Fr>,
        [x, y]: &[AssignedCell<Fr, Fr>; 2],
    ) -> Result<[AssignedCell<Fr, Fr>; 2], SynthesisError> {
        let outputs = layouter.assign_region(
            || "MinRoot",
            |mut region| {
                let mut y = y.copy_advice(|| "y", &mut region, config.column, 0)?;
                let mut x = x.copy_advice(|| "x", &mut region, config.column, 1)?;
                for (row, root) in self.roots.iter().enumerate() {
                    config.iteration.enable(&mut region, row)?;
                    let root =
                        region.assign_advice(|| "root", config.column, row + 2, || Value::known(*root))?;
                    (x, y) = (root, x);
                }
                Ok([x, y])
            },
        )?;
        Ok(outputs)
    }
}

#[cfg(test)]
mod tests;
