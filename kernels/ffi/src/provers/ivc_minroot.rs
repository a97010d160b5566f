//! The prover whose steps are folded.

use ivc_minroot::{Error, Input, Observer, Prover};
use serde::Deserialize;

use super::{Builtin, bad_input, text_result, verdict};
use crate::{
    control::Control,
    failure::{Failure, Status},
};

pub(super) const PROVER: Builtin = Builtin { name: "ivc-minroot", prove, prepare };
pub(super) const VERIFIER: Builtin = Builtin { name: "ivc-minroot-verify", prove: verify, prepare };

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

/// Accepts the proofs of `ivc-minroot`. An invalid proof is a result, not a failure.
fn verify(proved: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    let Proved { input, result } = serde_json::from_slice(proved).map_err(bad_input)?;
    verdict(prover()?.verify(input.steps(), &input.start(), &result))
}

/// Ready means that keys and public parameters are there: the first step then takes no longer than others.
fn prepare() -> Result<(), Failure> {
    prover().map(drop)
}

fn prover() -> Result<&'static Prover, Failure> {
    Prover::global().map_err(|error| Failure::new(Status::ProverError, error.to_string()))
}

fn failed(error: Error) -> Failure {
    let status = if matches!(error, Error::Cancelled) { Status::Cancelled } else { Status::ProverError };
    Failure::new(status, error.to_string())
}
