//! Proving and verifying, side by side.

use std::sync::OnceLock;

use elastic_folding::ivc::{CompressedProof, IVC};
use halo2curves::bn256::Fr;
use halo2curves::grumpkin;

use crate::acceleration::accelerate;
use crate::circuit::MinRootCircuit;
use crate::error::{Error, Rejection, SetupError};
use crate::function::evaluate;
use crate::input::{Input, STEPS_MAX};
use crate::observer::{Observer, Unobserved};
use crate::proof_text::{decode, encode};
use crate::setup::{ITERATIONS, Setup};

/// The share of steps in the progress that is reported: the rest is compression.
const STEPS_PART: f64 = 0.9;

/// The secondary computation does nothing, from here.
const SECONDARY_START: [grumpkin::Fr; 1] = [grumpkin::Fr::zero()];

/// Makes and checks proofs under one set-up.
pub struct Prover {
    setup: Setup,
}

impl Prover {
    /// Under the given set-up.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        Self { setup }
    }

    /// The prover of this process, made at first use by the environment, as [`Setup::from_env`] is. With the feature `accel`
    /// its commitments are computed by the acceleration library; proofs are the same.
    ///
    /// # Errors
    /// As [`Setup::from_env`]; a failure is not cached, so a file that appears later is found.
    pub fn global() -> Result<&'static Self, SetupError> {
        static GLOBAL: OnceLock<Prover> = OnceLock::new();
        if let Some(prover) = GLOBAL.get() {
            return Ok(prover);
        }
        let prover = Self::new(Setup::from_env_with(accelerate)?);
        Ok(GLOBAL.get_or_init(|| prover))
    }

    /// Whether anyone can forge proofs under these set-up parameters.
    #[must_use]
    pub fn is_development(&self) -> bool {
        self.setup.development
    }

    /// Proves where the steps end, and returns the proof as text.
    ///
    /// # Errors
    /// [`Error::Folding`] only.
    pub fn prove(&self, input: &Input) -> Result<String, Error> {
        self.prove_observed(input, &Unobserved)
    }

    /// [`Prover::prove`], reporting to the observer after each step, and stopping there when it says so.
    ///
    /// # Errors
    /// As [`Prover::prove`], and [`Error::Cancelled`].
    pub fn prove_observed(&self, input: &Input, observer: &dyn Observer) -> Result<String, Error> {
        let Setup { parameters, secondary, prover, .. } = &self.setup;
        let mut z = input.start();
        let mut computation: Option<IVC<2, 1, _, _>> = None;
        for step in 0..input.steps() {
            if observer.cancelled() {
                return Err(Error::Cancelled);
            }
            let evaluation = evaluate(z, ITERATIONS);
            let circuit = MinRootCircuit::new(evaluation.roots);
            match &mut computation {
                Some(computation) => computation.fold_step(parameters, &circuit, secondary)?,
                None => {
                    let first = IVC::new(parameters, &circuit, z, secondary, SECONDARY_START, false)?;
                    computation = Some(first);
                }
            }
            z = evaluation.output;
            #[expect(clippy::cast_precision_loss, reason = "steps are fewer than 2^22")]
            observer.progress(STEPS_PART * (step + 1) as f64 / input.steps() as f64);
        }
        let computation = computation.expect("an input has a step at least");
        let proof = computation.compress(parameters, prover)?;
        let text = encode(&proof.to_bytes());
        observer.progress(1.0);
        Ok(text)
    }

    /// Accepts a proof that so many steps from `[x, y]` end at the `[x, y]` that it returns.
    ///
    /// # Errors
    /// [`Rejection`] says at which check it fell.
    pub fn verify(&self, steps: u64, start: &[Fr; 2], proof_text: &str) -> Result<[Fr; 2], Rejection> {
        if !(1..=STEPS_MAX).contains(&steps) {
            return Err(Rejection::Steps(steps));
        }
        let verifier = &self.setup.verifier;
        let proof = CompressedProof::from_bytes(&decode(proof_text)?)?;
        let (end, _) = proof.verify(verifier, steps, start, &SECONDARY_START)?;
        Ok(end)
    }
}
