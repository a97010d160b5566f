//! One step of either step circuit: its witness, and its values as the circuit around it takes them.

use std::sync::Arc;

use halo2curves::ff::PrimeField;

use super::{Error, Side};
use crate::frontend::{StepCircuit, StepSetup, StepShape, StepWitness};

/// A step with its values.
#[derive(Clone, Copy)]
pub(super) struct StepValues<'a, F> {
    pub(super) shape: &'a Arc<StepShape<F>>,
    /// The step's variables, inputs first.
    pub(super) values: &'a [F],
    /// How often each tuple of each table is looked up.
    pub(super) multiplicities: &'a [Vec<u64>],
}

/// Which step is made, and whether it is checked.
#[derive(Clone, Copy)]
pub(super) struct StepOptions {
    pub(super) step: u64,
    pub(super) debug_mode: bool,
}

impl StepOptions {
    /// Computes a step, and in debug mode checks it against its circuit.
    pub(super) fn witness<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>>(
        self,
        curve: Side,
        setup: &StepSetup<ARITY, F, SC>,
        circuit: &SC,
        z: &[F],
        k_table_size: u32,
    ) -> Result<StepWitness<ARITY, F>, Error> {
        let z = array(z);
        let failed = |source| Error::Step { curve, source };
        let witness = setup.witness(circuit, &z).map_err(failed)?;
        if self.debug_mode {
            let unsatisfied = |violations: String| Error::Unsatisfied { step: self.step, curve, violations };
            setup.check(&witness).map_err(|violations| unsatisfied(violations.to_string()))?;
            let processed = circuit.process_step(&z, k_table_size).map_err(|error| failed(error.into()))?;
            if processed != witness.z_out {
                return Err(Error::Processed { step: self.step, curve });
            }
        }
        Ok(witness)
    }
}

/// How often the step looks up each tuple of each table.
pub(super) fn counts<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>>(
    setup: &StepSetup<ARITY, F, SC>,
    witness: &StepWitness<ARITY, F>,
) -> Vec<Vec<u64>> {
    setup.shape().multiplicities(&witness.values).counts
}

/// Elements of a state.
pub(super) fn array<const ARITY: usize, F: Copy>(elements: &[F]) -> [F; ARITY] {
    elements.try_into().expect("a state has as many elements as the step's arity")
}
