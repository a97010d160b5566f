//! The demo prover.

use poseidon::{Error, Input, Observer, Prover};
use serde::Deserialize;

use super::{Builtin, bad_input, text_result, verdict};
use crate::{
    control::Control,
    failure::{Failure, Status},
};

pub(super) const PROVER: Builtin = Builtin { name: "poseidon", prove, prepare };
pub(super) const VERIFIER: Builtin = Builtin { name: "poseidon-verify", prove: verify, prepare };

/// What a verifier is given: what a prover was given, and what it returned.
#[derive(Deserialize)]
struct Proved {
    input: Input,
    result: String,
}

impl Observer for Control<'_> {
    fn progress(&self, fraction: f64) {
        Control::progress(self, fraction);
    }

    fn cancelled(&self) -> bool {
        Control::cancelled(self)
    }
}

fn prove(input: &[u8], control: Control<'_>) -> Result<Vec<u8>, Failure> {
    let input: Input = serde_json::from_slice(input).map_err(bad_input)?;
    prover()?.prove_observed(&input, &control).map(text_result).map_err(failed)
}

/// Accepts the proofs of `poseidon`. An invalid proof is a result, not a failure.
fn verify(proved: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    let Proved { input, result } = serde_json::from_slice(proved).map_err(bad_input)?;
    verdict(prover()?.verify(input.inputs(), input.public_input(), &result))
}

/// Ready means that a proof has been made: parameters read, a key made, threads running.
fn prepare() -> Result<(), Failure> {
    let integers = vec![1, 2];
    let elements: Vec<_> = integers.iter().map(|&x| poseidon::Fr::from(x)).collect();
    let public_input = poseidon::format_decimal(&poseidon::hash(&elements));
    let input = Input::new(integers, public_input).map_err(|what| Failure::new(Status::ProverError, what))?;
    prover()?.prove(&input).map(drop).map_err(failed)
}

fn prover() -> Result<&'static Prover, Failure> {
    Prover::global().map_err(|error| Failure::new(Status::ProverError, error.to_string()))
}

fn failed(error: Error) -> Failure {
    let status = if matches!(error, Error::Cancelled) { Status::Cancelled } else { Status::ProverError };
    Failure::new(status, error.to_string())
}
