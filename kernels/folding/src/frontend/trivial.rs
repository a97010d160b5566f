//! The step that returns its input.

use std::marker::PhantomData;

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{AssignedCell, Layouter};
use midnight_proofs::plonk::ConstraintSystem;

use super::error::SynthesisError;
use super::step_circuit::StepCircuit;

/// A step circuit without constraints, whose output is its input.
#[derive(Clone, Copy, Debug)]
pub struct Circuit<const ARITY: usize, F>(PhantomData<F>);

impl<const ARITY: usize, F> Default for Circuit<ARITY, F> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<const ARITY: usize, F: PrimeField> StepCircuit<ARITY, F> for Circuit<ARITY, F> {
    type Config = ();

    fn configure(_: &mut ConstraintSystem<F>) {}

    fn synthesize_step(
        &self,
        (): (),
        _: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; ARITY],
    ) -> Result<[AssignedCell<F, F>; ARITY], SynthesisError> {
        Ok(z_i.clone())
    }
}
