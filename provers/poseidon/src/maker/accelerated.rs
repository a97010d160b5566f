//! The prover of `kernels/plonk`: on a GPU, or else on the CPU.

use std::sync::{Arc, OnceLock};

use elastic_plonk::{Prover, ProverSHPLONK};
use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr},
    transcript::TranscriptWriterBuffer,
};

use crate::{
    circuit::PoseidonCircuit, error::Error, input::INPUTS_MAX, keys::Key, maker::Transcript, srs::Srs,
};

/// One prepared key for each number of inputs, over the same set-up parameters.
#[derive(Debug, Default)]
pub(crate) struct Maker {
    srs: OnceLock<Arc<elastic_plonk::Srs>>,
    provers: [OnceLock<Prover>; INPUTS_MAX],
}

impl Maker {
    /// Prepares the key for a number of inputs, so that its first proof does not wait for it.
    pub(crate) fn prepare(&self, srs: &Srs, key: &Key, inputs: usize) -> Result<(), Error> {
        self.prover(srs, key, inputs).map(drop)
    }

    pub(crate) fn create(&self, srs: &Srs, key: &Key, witness: &[Fr], public: Fr) -> Result<Vec<u8>, Error> {
        let mut transcript = Transcript::init(Vec::new());
        self.prover(srs, key, witness.len())?
            .prove::<ProverSHPLONK<'_, Bn256>, _, _, _>(
                &[PoseidonCircuit::with_witness(witness)],
                &[&[&[public]]],
                &mut transcript,
            )
            .map_err(failed)?;
        Ok(transcript.finalize())
    }

    /// Of two that are made at once, one is held.
    fn prover(&self, srs: &Srs, key: &Key, inputs: usize) -> Result<&Prover, Error> {
        let cell = &self.provers[inputs - 1];
        if let Some(prover) = cell.get() {
            return Ok(prover);
        }
        let resident = match self.srs.get() {
            Some(resident) => resident,
            None => {
                let made = Arc::new(elastic_plonk::Srs::new(srs.params()).map_err(failed)?);
                self.srs.get_or_init(|| made)
            }
        };
        let prover = Prover::with_srs(resident, key).map_err(failed)?;
        Ok(cell.get_or_init(|| prover))
    }
}

fn failed(error: elastic_plonk::Error) -> Error {
    Error::ProofSystem(error.to_string())
}
