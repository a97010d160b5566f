//! What can go wrong while sides are measured.

use elastic_folding::{acceleration, commitment, ivc, poseidon, snark::encoding};
use nova_snark::errors::NovaError;

/// Why measuring ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("nova-snark: {0}")]
    Nova(#[from] NovaError),
    #[error("elastic-folding: {0}")]
    Elastic(#[from] ivc::Error),
    #[error("elastic-folding, its oracle: {0}")]
    Oracle(#[from] poseidon::Error),
    #[error("elastic-folding, a key: {0}")]
    Key(#[from] commitment::Error),
    #[error("elastic-folding, the acceleration library: {0}")]
    Acceleration(#[from] acceleration::Error),
    #[error("a state of {found} elements, where steps take {arity}")]
    Arity { found: usize, arity: usize },
    #[error("elastic-folding, a compressed proof's bytes: {0}")]
    Bytes(#[from] encoding::Error),
    #[error("a proof was not encoded: {0}")]
    Encode(#[from] bincode::error::EncodeError),
    #[error("a proof was not decoded: {0}")]
    Decode(#[from] bincode::error::DecodeError),
    #[error("{0} was called before its set-up or first step")]
    NotReady(&'static str),
    #[error("{side} computes something else than the plain function: {what}")]
    WrongOutput { side: &'static str, what: String },
    #[error("{side} accepts {steps} steps where others were made: {what}")]
    AcceptsWrongCount { side: &'static str, steps: usize, what: &'static str },
    #[error("the process does not say what it takes: {0}")]
    Usage(String),
    #[error("the threads were not started: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error("a child that measures memory was not run: {0}")]
    Child(#[from] std::io::Error),
    #[error("the child that measures memory of {side} ended with {status}")]
    ChildEnded { side: &'static str, status: std::process::ExitStatus },
    #[error("a row was not written: {0}")]
    Row(#[from] serde_json::Error),
}
