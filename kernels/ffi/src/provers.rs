//! Which provers exist. Each is a function from the input's bytes to the output's JSON text.

#[cfg(feature = "ivc-minroot")]
mod ivc_minroot;
mod poseidon;

use std::fmt::Display;

use elastic_sdk::describe_input_error;
use serde::Serialize;

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

const PROVERS: &[&Builtin] = &[
    &poseidon::PROVER,
    &poseidon::VERIFIER,
    #[cfg(feature = "ivc-minroot")]
    &ivc_minroot::PROVER,
    #[cfg(feature = "ivc-minroot")]
    &ivc_minroot::VERIFIER,
];

/// What a build without the folding library's prover adds to the refusal of a name.
const LEFT_OUT: &str = if cfg!(feature = "ivc-minroot") {
    ""
} else {
    "; this build leaves out ivc-minroot, and `bash deploy/setup.sh rust` builds the library with it"
};

/// All provers that the caller may use now.
pub(crate) fn available() -> impl Iterator<Item = &'static Builtin> {
    PROVERS.iter().copied().chain(test_provers::enabled())
}

/// The prover of that name.
pub(crate) fn find(name: &str) -> Result<&'static Builtin, Failure> {
    available().find(|builtin| builtin.name == name).ok_or_else(|| {
        let names: Vec<_> = available().map(|builtin| builtin.name).collect();
        let message = format!("there is no builtin prover {name:?}, only {}{LEFT_OUT}", names.join(", "));
        Failure::new(Status::UnknownProver, message)
    })
}

/// A proof text as the output.
fn text_result(proof: String) -> Vec<u8> {
    serde_json::Value::String(proof).to_string().into_bytes()
}

/// What a verifier returns.
#[derive(Serialize)]
struct Verdict {
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

fn verdict<T, R: Display>(verified: Result<T, R>) -> Result<Vec<u8>, Failure> {
    let rejection = verified.err();
    let verdict = Verdict { valid: rejection.is_none(), message: rejection.map(|what| what.to_string()) };
    serde_json::to_vec(&verdict).map_err(|error| Failure::new(Status::ProverError, error.to_string()))
}

pub(crate) fn bad_input(error: serde_json::Error) -> Failure {
    let what = describe_input_error(&error);
    Failure::new(Status::BadInput, format!("the input is not what this prover reads: {what}"))
}
