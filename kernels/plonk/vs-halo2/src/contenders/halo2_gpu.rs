//! halo2-axiom-gpu: circuits, keys and transcripts are halo2-axiom's, and the parameters are its own.

use std::error::Error;

use halo2_axiom::{SerdeFormat, halo2curves::bn256::Bn256, poly::kzg::commitment::ParamsKZG};
use halo2_axiom_gpu::{
    plonk::create_proof,
    poly::kzg::{
        commitment::{KZGCommitmentScheme, ParamsKZG as ParamsOnGpu},
        multiopen::ProverSHPLONK,
    },
};
use rand_chacha::ChaCha20Rng;

use crate::{circuits::Statement, contenders::Task, stages::Timed};

pub(crate) type Params = ParamsOnGpu<Bn256>;

/// The same parameters.
pub(crate) fn params(params: &ParamsKZG<Bn256>) -> Result<Params, Box<dyn Error>> {
    let mut bytes = Vec::new();
    params.write_custom(&mut bytes, SerdeFormat::RawBytesUnchecked)?;
    Ok(Params::read_custom(&mut bytes.as_slice(), SerdeFormat::RawBytesUnchecked)?)
}

pub(crate) fn prove<C: Statement>(
    params: &Params,
    task: &Task<C>,
    rng: ChaCha20Rng,
    transcript: &mut Timed,
) -> Result<(), Box<dyn Error>> {
    create_proof::<KZGCommitmentScheme<Bn256>, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
        params,
        &task.key,
        std::slice::from_ref(&task.circuit),
        &[&[&[task.public]]],
        rng,
        transcript,
    )
    .map_err(|error| format!("{error:?}").into())
}
