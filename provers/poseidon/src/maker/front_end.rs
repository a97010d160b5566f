//! halo2-axiom's own prover.

use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr},
    plonk::create_proof,
    poly::kzg::{commitment::KZGCommitmentScheme, multiopen::ProverSHPLONK},
    transcript::TranscriptWriterBuffer,
};
use rand_core::OsRng;

use crate::{circuit::PoseidonCircuit, error::Error, keys::Key, maker::Transcript, srs::Srs};

/// It has nothing to prepare.
#[derive(Debug, Default)]
pub(crate) struct Maker {}

impl Maker {
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "other makers prepare the key")]
    pub(crate) fn prepare(&self, _: &Srs, _: &Key, _: usize) -> Result<(), Error> {
        Ok(())
    }

    #[expect(clippy::unused_self, reason = "other makers have prepared the key")]
    pub(crate) fn create(&self, srs: &Srs, key: &Key, witness: &[Fr], public: Fr) -> Result<Vec<u8>, Error> {
        let mut transcript = Transcript::init(Vec::new());
        create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
            srs.params(),
            key,
            &[PoseidonCircuit::with_witness(witness)],
            &[&[&[public]]],
            OsRng,
            &mut transcript,
        )
        .map_err(|error| Error::ProofSystem(error.to_string()))?;
        Ok(transcript.finalize())
    }
}
