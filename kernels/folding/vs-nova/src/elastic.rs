//! Ours: elastic-folding over bn256 and grumpkin.

use std::num::NonZeroUsize;

use elastic_folding::{
    acceleration::{Accelerator, Cpu, Zkaccel},
    commitment::CommitmentKey,
    frontend::{StepCircuit, trivial},
    ivc::{CircuitPublicParamsInput, CompressedProof, IVC, ProverKey, PublicParams, VerifierKey},
    poseidon::{PoseidonRo, Spec},
};
use halo2curves::{
    bn256::{self, Fq, Fr},
    ff::Field as _,
    grumpkin,
};
use rand_core::OsRng;

use crate::{error::Error, side::Side, workload::Workload};

/// S-boxes that a row of the verifier's circuit takes.
const MAIN_GATE_SIZE: usize = 5;
/// Limbs of elements of the other field.
const LIMB_WIDTH: NonZeroUsize = NonZeroUsize::new(68).expect("it is not 0");
const LIMBS: NonZeroUsize = NonZeroUsize::new(4).expect("it is not 0");
/// The smallest table that there is: each of the workloads fits.
const TABLE: u32 = 17;
/// What the verifier's circuit commits to at a time, with some to spare. Set-up refuses a key that is too small.
const VERIFIER_VALUES: usize = 12 << 10;
/// Half of it goes to cross terms of the secondary circuit.
const SECONDARY_KEY: usize = 11;

type Oracle = PoseidonRo<5, 4>;
type Second = trivial::Circuit<1, Fq>;
type Parameters<const ARITY: usize, SC> = PublicParams<
    'static,
    ARITY,
    1,
    MAIN_GATE_SIZE,
    bn256::G1Affine,
    grumpkin::G1Affine,
    SC,
    Second,
    Oracle,
    Oracle,
>;
type Proof<const ARITY: usize> = IVC<ARITY, 1, bn256::G1Affine, grumpkin::G1Affine>;
type Keys<const ARITY: usize> = (ProverKey<'static>, VerifierKey<ARITY, 1, Oracle>);

/// What the library computes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backend {
    /// Its own sums and polynomials.
    BuiltIn,
    /// The acceleration library.
    Zkaccel,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Self::BuiltIn => "elastic-folding, built-in",
            Self::Zkaccel => "elastic-folding, zkaccel",
        }
    }
}

/// A workload that this side has a circuit for.
pub(crate) trait ElasticWorkload: Workload {
    /// The side that proves its steps, computing by this.
    fn elastic(&self, backend: Backend) -> Box<dyn Side<Self>>;
}

/// A workload as a step circuit.
pub(crate) trait Stepped<const ARITY: usize>: Workload {
    /// The step, with its advice.
    type Circuit: StepCircuit<ARITY, Fr, Config: Send> + Send + Sync + 'static;

    /// The circuit of the step that has this advice.
    fn circuit(&self, advice: &Self::Advice) -> Self::Circuit;

    /// About how many values a step commits to at a time.
    fn values(&self) -> usize;
}

/// What elastic-folding has made so far.
pub(crate) struct Elastic<const ARITY: usize, W: Stepped<ARITY>> {
    workload: W,
    backend: Backend,
    parameters: Option<Parameters<ARITY, W::Circuit>>,
    proof: Option<Proof<ARITY>>,
    keys: Option<Keys<ARITY>>,
}

impl<const ARITY: usize, W: Stepped<ARITY>> Elastic<ARITY, W> {
    pub(crate) fn new(workload: W, backend: Backend) -> Self {
        Self { workload, backend, parameters: None, proof: None, keys: None }
    }

    fn not_ready(&self) -> Error {
        Error::NotReady(self.backend.name())
    }

    fn parameters(&self) -> Result<&Parameters<ARITY, W::Circuit>, Error> {
        self.parameters.as_ref().ok_or_else(|| self.not_ready())
    }

    fn proof(&self) -> Result<&Proof<ARITY>, Error> {
        self.proof.as_ref().ok_or_else(|| self.not_ready())
    }

    fn keys(&self) -> Result<&Keys<ARITY>, Error> {
        self.keys.as_ref().ok_or_else(|| self.not_ready())
    }

    fn start(&self) -> Result<[Fr; ARITY], Error> {
        let z0 = self.workload.z0();
        let found = z0.len();
        z0.try_into().map_err(|_| Error::Arity { found, arity: ARITY })
    }

    /// The set-up, with keys that this accelerates.
    fn setup_on(
        &mut self,
        accelerator: &(impl Accelerator<bn256::G1Affine> + Accelerator<grumpkin::G1Affine>),
        first: &W::Advice,
    ) -> Result<String, Error> {
        let circuit = keep(self.workload.circuit(first));
        let values = VERIFIER_VALUES + self.workload.values();
        let k = values.next_power_of_two().trailing_zeros() as usize;
        let mut key = CommitmentKey::insecure_setup(k, OsRng)?;
        key.accelerate(accelerator, values)?;
        let mut second_key = CommitmentKey::setup(SECONDARY_KEY, b"grumpkin")?;
        second_key.accelerate(accelerator, second_key.len())?;
        let (key, second_key) = (keep(key), keep(second_key));
        let parameters = PublicParams::new(
            CircuitPublicParamsInput::new(TABLE, key, Spec::reference()?, circuit),
            CircuitPublicParamsInput::new(TABLE, second_key, Spec::reference()?, keep(Second::default())),
            LIMB_WIDTH,
            LIMBS,
        )?;
        let [first, second] = parameters.committed_values();
        self.parameters = Some(parameters);
        Ok(format!("{first} + {second} variables, a key of 2^{k}"))
    }
}

impl<const ARITY: usize, W: Stepped<ARITY>> Side<W> for Elastic<ARITY, W> {
    fn name(&self) -> &'static str {
        self.backend.name()
    }

    fn setup(&mut self, first: &W::Advice) -> Result<String, Error> {
        match self.backend {
            Backend::BuiltIn => self.setup_on(&Cpu, first),
            Backend::Zkaccel => self.setup_on(&Zkaccel::on_cpu()?, first),
        }
    }

    fn step(&mut self, advice: &W::Advice) -> Result<(), Error> {
        let circuit = self.workload.circuit(advice);
        let parameters = self.parameters.as_ref().ok_or_else(|| self.not_ready())?;
        match &mut self.proof {
            Some(proof) => proof.fold_step(parameters, &circuit, &Second::default())?,
            None => {
                let start = self.start()?;
                let second = Second::default();
                self.proof = Some(IVC::new(parameters, &circuit, start, &second, [Fq::ZERO], false)?);
            }
        }
        Ok(())
    }

    fn z(&self) -> Result<Vec<Fr>, Error> {
        Ok(self.proof()?.primary_output().to_vec())
    }

    fn verify(&self, steps: usize) -> Result<Vec<Fr>, Error> {
        let (z, _) =
            self.proof()?.verify_with(self.parameters()?, steps as u64, &self.start()?, &[Fq::ZERO])?;
        Ok(z.to_vec())
    }

    fn setup_compress(&mut self) -> Result<(), Error> {
        self.keys = Some(self.parameters()?.compression_keys()?);
        Ok(())
    }

    fn compress(&self) -> Result<Vec<u8>, Error> {
        let proof = self.proof()?.compress(self.parameters()?, &self.keys()?.0)?;
        Ok(proof.to_bytes())
    }

    fn verify_compressed(&self, proof: &[u8], steps: usize) -> Result<Vec<Fr>, Error> {
        let proof = CompressedProof::<ARITY, 1>::from_bytes(proof)?;
        let (z, _) = proof.verify(&self.keys()?.1, steps as u64, &self.start()?, &[Fq::ZERO])?;
        Ok(z.to_vec())
    }
}

/// Parameters borrow circuits and keys. Both are made once a workload, and stay for as long as the process.
fn keep<T>(value: T) -> &'static T {
    Box::leak(Box::new(value))
}

#[cfg(test)]
mod tests;
