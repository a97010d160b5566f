//! The provers, each ready to prove one circuit.

#[cfg(feature = "gpu")]
mod halo2_gpu;

use std::{error::Error, time::Duration};

use clap::ValueEnum;
use elastic_plonk::{Prover, Srs};
use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::{ProvingKey, create_proof, verify_proof},
    poly::kzg::{
        commitment::{KZGCommitmentScheme, ParamsKZG},
        multiopen::{ProverSHPLONK, VerifierSHPLONK},
        strategy::SingleStrategy,
    },
    transcript::{Blake2bRead, Challenge255, TranscriptReadBuffer},
};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use zkaccel::{Backend, Config, Context};

use crate::{circuits::Statement, stages::Timed};

type Scheme = KZGCommitmentScheme<Bn256>;
pub(crate) type Times = Vec<(&'static str, Duration)>;

/// Whose prover it is, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Contender {
    /// Ours, on the CPU.
    #[value(name = "elastic-plonk")]
    Ours,
    /// Ours, on a GPU.
    #[value(name = "elastic-plonk-gpu")]
    OursOnGpu,
    /// The published one, on the CPU.
    #[value(name = "halo2-axiom")]
    Halo2,
    /// The published one for GPUs.
    #[cfg(feature = "gpu")]
    #[value(name = "halo2-axiom-gpu")]
    Halo2OnGpu,
}

impl Contender {
    /// As the command line has it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether its proofs of one seed are always the same.
    pub(crate) fn is_ours(self) -> bool {
        matches!(self, Self::Ours | Self::OursOnGpu)
    }
}

/// What all contenders are given.
pub(crate) struct Task<C> {
    pub(crate) params: ParamsKZG<Bn256>,
    pub(crate) key: ProvingKey<G1Affine>,
    pub(crate) circuit: C,
    pub(crate) public: Fr,
}

impl<C> Task<C> {
    /// # Errors
    ///
    /// Where halo2-axiom's verifier does not accept the proof.
    pub(crate) fn verify(&self, proof: &[u8]) -> Result<(), Box<dyn Error>> {
        let mut transcript = Blake2bRead::<_, G1Affine, Challenge255<_>>::init(proof);
        verify_proof::<Scheme, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            &self.params,
            self.key.get_vk(),
            SingleStrategy::new(&self.params),
            &[&[&[self.public]]],
            &mut transcript,
        )?;
        Ok(())
    }
}

/// A contender with what it holds between proofs.
pub(crate) enum Ready {
    Ours(Box<Prover>),
    Halo2,
    #[cfg(feature = "gpu")]
    Halo2OnGpu(halo2_gpu::Params),
}

impl Ready {
    /// # Errors
    ///
    /// Where there is no such device, or not enough memory.
    pub(crate) fn new<C>(contender: Contender, task: &Task<C>) -> Result<Self, Box<dyn Error>> {
        let ours = |backend| -> Result<Self, Box<dyn Error>> {
            let context = Context::new(&Config { backend, ..Config::default() })?;
            let srs = Srs::in_context(&context, &task.params)?;
            Ok(Self::Ours(Box::new(Prover::with_srs(&srs.into(), &task.key)?)))
        };
        match contender {
            Contender::Ours => ours(Backend::Cpu),
            Contender::OursOnGpu => ours(Backend::Cuda),
            Contender::Halo2 => Ok(Self::Halo2),
            #[cfg(feature = "gpu")]
            Contender::Halo2OnGpu => Ok(Self::Halo2OnGpu(halo2_gpu::params(&task.params)?)),
        }
    }

    /// One proof, with the time of each of its stages.
    pub(crate) fn prove<C: Statement>(
        &self,
        task: &Task<C>,
        seed: u64,
    ) -> Result<(Times, Vec<u8>), Box<dyn Error>> {
        let (circuits, rng) = (std::slice::from_ref(&task.circuit), ChaCha20Rng::seed_from_u64(seed));
        let mut transcript = Timed::start();
        match self {
            Self::Ours(prover) => prover.prove_with::<ProverSHPLONK<'_, Bn256>, _, _, _>(
                circuits,
                &[&[&[task.public]]],
                rng,
                &mut transcript,
                &mut (),
            )?,
            Self::Halo2 => create_proof::<Scheme, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
                &task.params,
                &task.key,
                circuits,
                &[&[&[task.public]]],
                rng,
                &mut transcript,
            )?,
            #[cfg(feature = "gpu")]
            Self::Halo2OnGpu(params) => halo2_gpu::prove(params, task, rng, &mut transcript)?,
        }
        Ok(transcript.end())
    }
}
