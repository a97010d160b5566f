//! The prover, prepared once for a key, and halo2-axiom's entry.

use std::sync::Arc;

use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    plonk::{Circuit, ProvingKey},
    poly::{
        commitment::{CommitmentScheme, Params},
        kzg::commitment::{KZGCommitmentScheme, ParamsKZG},
    },
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_chacha::ChaCha20Rng;
use rand_core::{OsRng, RngCore, SeedableRng};
use zkaccel::{Bytes, Config, Context};

use crate::{
    engine::Engine,
    error::{Error, Result},
    key::Key,
    multiopen::Multiopen,
    plan::{Plan, Walk, plan, strategy, too_small},
    proof::{Proof, check_instances},
    secret::SecretBytes,
    srs::Srs,
    stage::{Clock, Stages},
};

/// Makes proofs of one circuit. Share one: everything that its proofs have in common is in the backend's memory.
#[derive(Debug)]
pub struct Prover {
    srs: Arc<Srs>,
    key: Key,
}

impl Prover {
    /// Prepares a key on the best backend that there is: a GPU, or else the CPU.
    ///
    /// # Errors
    ///
    /// [`Error::KeyOfAnotherSize`] and [`Error::SrsTooSmall`] where parameters and key do not fit together, [`Error::Degree`],
    /// [`Error::MaxDegree`] and [`Error::MalformedKey`] of the key, and [`Error::Accel`].
    pub fn new(params: &ParamsKZG<Bn256>, key: &ProvingKey<G1Affine>) -> Result<Self> {
        check_sizes(params.k(), key)?;
        Self::with_srs(&Arc::new(Srs::new(params)?), key)
    }

    /// Prepares a key with parameters that are resident already, also for other keys of this size.
    ///
    /// # Errors
    ///
    /// As [`Prover::new`].
    pub fn with_srs(srs: &Arc<Srs>, key: &ProvingKey<G1Affine>) -> Result<Self> {
        check_sizes(srs.k(), key)?;
        let strategy = strategy(srs.config(), key, held_by_others(srs)?)?;
        Ok(Self { srs: Arc::clone(srs), key: Key::new(srs.context(), key, strategy)? })
    }

    /// What a prover of the key and its proofs of so many circuits would take in a context of the configuration, before anything
    /// is prepared. Within the limits of the configuration, proofs take longer instead, and are the same. For the time of the
    /// call it takes the memory of one table of points.
    ///
    /// # Errors
    ///
    /// [`Error::TooLittleMemory`] where the limits are too low for any proof; as [`Prover::new`] of the key.
    pub fn plan(config: &Config, key: &ProvingKey<G1Affine>, circuits: usize) -> Result<Plan> {
        Ok(plan(config, key, circuits, Bytes::default())?.plan)
    }

    /// Where it computes.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.srs.context()
    }

    /// Makes one proof of as many circuits as there are lists of instances, blinded by randomness of the system.
    ///
    /// # Errors
    ///
    /// [`Error`] says what is wrong: the instances, the circuit, its witness, the transcript or the backend. What the
    /// transcript has by then is no proof. A witness that breaks a gate or a copy is no error here, as with halo2: there is a
    /// proof then, which is not accepted.
    pub fn prove<M, E, T, C>(&self, circuits: &[C], instances: &[&[&[Fr]]], transcript: &mut T) -> Result<()>
    where
        M: Multiopen,
        E: EncodedChallenge<G1Affine>,
        T: TranscriptWrite<G1Affine, E>,
        C: Circuit<Fr>,
    {
        let mut seed = SecretBytes::default();
        OsRng.fill_bytes(&mut seed.0);
        let rng = ChaCha20Rng::from_seed(seed.0);
        drop(seed);
        self.prove_with::<M, E, T, C>(circuits, instances, rng, transcript, &mut ())
    }

    /// [`Prover::prove`], blinded by the caller's generator, which has to be one for cryptography, and with a report of the
    /// time of each stage. One seed gives one proof.
    ///
    /// # Errors
    ///
    /// As [`Prover::prove`].
    pub fn prove_with<M, E, T, C>(
        &self,
        circuits: &[C],
        instances: &[&[&[Fr]]],
        mut rng: impl RngCore,
        transcript: &mut T,
        stages: &mut dyn Stages,
    ) -> Result<()>
    where
        M: Multiopen,
        E: EncodedChallenge<G1Affine>,
        T: TranscriptWrite<G1Affine, E>,
        C: Circuit<Fr>,
    {
        let (srs, key) = (&*self.srs, &self.key);
        check_instances(key, circuits.len(), instances)?;
        let walk = Walk::new(&key.shape, &key.strategy, &key.programs, srs.device(&key.domain));
        let planned = walk.proof(circuits.len(), M::SCHEME)?;
        if circuits.len() > 1 {
            self.check_memory(planned.least())?;
        }
        let engine = Engine::new(srs.context(), Clock::start(stages, planned.costs()));
        engine.cancellation().check()?;
        Proof::new(srs, key, &engine, &mut rng, transcript).create::<M, C>(circuits, instances)
    }
}

impl Prover {
    /// Whether a proof of several circuits, which nothing was planned for, fits next to what is held.
    fn check_memory(&self, needed: Bytes) -> Result<()> {
        let (config, held) = (self.srs.config(), self.context().memory()?.now);
        let limit = |max: u64, held: u64| if max == 0 { u64::MAX } else { max.saturating_sub(held) };
        let limits = Bytes {
            host: limit(config.host_bytes_max, held.host),
            device: limit(config.device_bytes_max, held.device),
        };
        if needed.host <= limits.host && needed.device <= limits.device {
            return Ok(());
        }
        Err(too_small(needed, limits, held))
    }
}

/// halo2-axiom's `create_proof`, by this prover. It prepares parameters and key each time: for several proofs of one circuit
/// make a [`Prover`].
///
/// # Errors
///
/// As [`Prover::new`] and [`Prover::prove`]. `?` makes halo2-axiom's `Error` of it where a caller returns that.
pub fn create_proof<'params, 'a, Scheme, P, E, R, T, ConcreteCircuit>(
    params: &'params Scheme::ParamsProver,
    pk: &ProvingKey<G1Affine>,
    circuits: &[ConcreteCircuit],
    instances: &[&[&'a [Fr]]],
    rng: R,
    transcript: &'a mut T,
) -> Result<()>
where
    Scheme: CommitmentScheme<Scalar = Fr, Curve = G1Affine, ParamsProver = ParamsKZG<Bn256>>,
    P: Multiopen + halo2_axiom::poly::commitment::Prover<'params, KZGCommitmentScheme<Bn256>>,
    E: EncodedChallenge<G1Affine>,
    R: RngCore + 'a,
    T: TranscriptWrite<G1Affine, E>,
    ConcreteCircuit: Circuit<Fr>,
{
    Prover::new(params, pk)?.prove_with::<P, E, T, ConcreteCircuit>(
        circuits,
        instances,
        rng,
        transcript,
        &mut (),
    )
}

/// What is in the context but the tables.
fn held_by_others(srs: &Srs) -> Result<Bytes> {
    let (now, tables) = (srs.context().memory()?.now, srs.bytes()?);
    Ok(Bytes { host: now.host.saturating_sub(tables.host), device: now.device.saturating_sub(tables.device) })
}

fn check_sizes(params: u32, key: &ProvingKey<G1Affine>) -> Result<()> {
    let key = key.get_vk().get_domain().k();
    match key.cmp(&params) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => Err(Error::KeyOfAnotherSize { key, params }),
        std::cmp::Ordering::Greater => {
            Err(Error::SrsTooSmall { k: key, needed: 1 << key, points: 1 << params })
        }
    }
}
