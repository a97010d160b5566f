//! Which provers exist. Each is a function from the input's bytes to the output's JSON text.

use elastic_sdk::describe_input_error;
use poseidon::{Error, Input, Prover};
use serde::{Deserialize, Serialize};

use crate::{
    control::Control,
    failure::{Failure, Status},
    test_provers,
};

/// A builtin prover.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    /// Proves one input. The output is the UTF-8 text of one JSON value.
    pub(crate) prove: fn(&[u8], Control<'_>) -> Result<Vec<u8>, Failure>,
    /// Does once what all proofs need, and fails if no proof could be made.
    pub(crate) prepare: fn() -> Result<(), Failure>,
}

const POSEIDON: Builtin = Builtin { name: "poseidon", prove: prove_poseidon, prepare: prepare_poseidon };
const POSEIDON_VERIFY: Builtin =
    Builtin { name: "poseidon-verify", prove: verify_poseidon, prepare: prepare_poseidon };

/// All provers that the caller may use now.
pub(crate) fn available() -> impl Iterator<Item = &'static Builtin> {
    [&POSEIDON, &POSEIDON_VERIFY].into_iter().chain(test_provers::enabled())
}

/// What a verifier is given: what a prover was, and what it answered.
#[derive(Deserialize)]
struct Proved {
    input: Input,
    result: String,
}

/// What a verifier answers.
#[derive(Serialize)]
struct Verdict {
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// The prover of that name.
pub(crate) fn find(name: &str) -> Result<&'static Builtin, Failure> {
    available().find(|builtin| builtin.name == name).ok_or_else(|| {
        let names: Vec<_> = available().map(|builtin| builtin.name).collect();
        let message = format!("there is no builtin prover {name:?}, only {}", names.join(", "));
        Failure::new(Status::UnknownProver, message)
    })
}

fn prove_poseidon(input: &[u8], control: Control<'_>) -> Result<Vec<u8>, Failure> {
    let input: Input = serde_json::from_slice(input).map_err(bad_input)?;
    let proof = poseidon_prover()?.prove_observed(&input, &control).map_err(failed)?;
    Ok(serde_json::Value::String(proof).to_string().into_bytes())
}

/// Accepts the proofs of `poseidon`. A proof that is none is an answer, not a failure.
fn verify_poseidon(proved: &[u8], _: Control<'_>) -> Result<Vec<u8>, Failure> {
    let Proved { input, result } = serde_json::from_slice(proved).map_err(bad_input)?;
    let rejection = poseidon_prover()?.verify(input.inputs(), input.public_input(), &result).err();
    let verdict = Verdict { valid: rejection.is_none(), message: rejection.map(|what| what.to_string()) };
    serde_json::to_vec(&verdict).map_err(|error| Failure::new(Status::ProverError, error.to_string()))
}

/// Ready means that a proof has been made: parameters read, a key made, threads running.
fn prepare_poseidon() -> Result<(), Failure> {
    let integers = vec![1, 2];
    let elements: Vec<_> = integers.iter().map(|&x| poseidon::Fr::from(x)).collect();
    let public_input = poseidon::format_decimal(&poseidon::hash(&elements));
    let input = Input::new(integers, public_input).map_err(|what| Failure::new(Status::ProverError, what))?;
    poseidon_prover()?.prove(&input).map(drop).map_err(failed)
}

fn poseidon_prover() -> Result<&'static Prover, Failure> {
    Prover::global().map_err(|error| Failure::new(Status::ProverError, error.to_string()))
}

fn failed(error: Error) -> Failure {
    let status = if matches!(error, Error::Cancelled) { Status::Cancelled } else { Status::ProverError };
    Failure::new(status, error.to_string())
}

pub(crate) fn bad_input(error: serde_json::Error) -> Failure {
    let what = describe_input_error(&error);
    Failure::new(Status::BadInput, format!("the input is not what this prover reads: {what}"))
}
