//! The front end's own mock prover, as the oracle.

use std::marker::PhantomData;

use halo2curves::bn256::Fr;
use midnight_proofs::circuit::SimpleFloorPlanner;
use midnight_proofs::dev::{MockProver, RowSizer, VerifyFailure};
use midnight_proofs::plonk;

use super::super::*;

/// A step circuit with an input, as a circuit of the front end.
pub(super) struct Mocked<'a, const ARITY: usize, SC> {
    circuit: &'a SC,
    z_in: [Fr; ARITY],
    field: PhantomData<Fr>,
}

impl<'a, const ARITY: usize, SC: StepCircuit<ARITY, Fr>> Mocked<'a, ARITY, SC> {
    pub(super) fn new(circuit: &'a SC, z_in: [Fr; ARITY]) -> Self {
        Self { circuit, z_in, field: PhantomData }
    }

    /// The size of the smallest table that the mock prover takes, as a power of two.
    pub(super) fn k(&self) -> u32 {
        RowSizer::min_k(self, vec![]).unwrap().0
    }

    /// Whether the mock prover accepts. That each cell of an enabled gate is assigned is not checked here.
    pub(super) fn accepts(&self) -> bool {
        let failures = MockProver::run(self, vec![]).unwrap().verify().err().unwrap_or_default();
        failures.iter().all(|failure| matches!(failure, VerifyFailure::CellNotAssigned { .. }))
    }
}

impl<const ARITY: usize, SC: StepCircuit<ARITY, Fr>> plonk::Circuit<Fr> for Mocked<'_, ARITY, SC> {
    type Config = (SC::Config, Column<Advice>);
    type FloorPlanner = SimpleFloorPlanner;

    fn without_witnesses(&self) -> Self {
        Self { circuit: self.circuit, z_in: self.z_in, field: PhantomData }
    }

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let config = SC::configure(cs);
        let inputs = cs.advice_column();
        cs.enable_equality(inputs);
        (config, inputs)
    }

    fn synthesize(&self, config: Self::Config, mut layouter: impl Layouter<Fr>) -> Result<(), plonk::Error> {
        let z_in = layouter.assign_region(
            || "inputs",
            |mut region| {
                let inputs = self.z_in.iter().enumerate();
                inputs
                    .map(|(row, value)| region.assign_advice(|| "", config.1, row, || Value::known(*value)))
                    .collect::<Result<Vec<_>, _>>()
            },
        )?;
        let z_in: [AssignedCell<Fr, Fr>; ARITY] = z_in.try_into().unwrap();
        match self.circuit.synthesize_step(config.0, &mut layouter, &z_in) {
            Ok(_) => Ok(()),
            Err(SynthesisError::Halo2(error)) => Err(error),
            Err(SynthesisError::Fold(error)) => Err(plonk::Error::Synthesis(error.to_string())),
        }
    }
}
