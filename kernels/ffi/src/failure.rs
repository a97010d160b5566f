//! How a call can end.

/// What every function that can fail returns. The numbers are part of the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// The output is the result.
    Ok = 0,
    /// The prover refused the input's statement or failed on it; the output says why.
    ProverError = 1,
    /// The input does not parse as this prover's input; the output says where.
    BadInput = 2,
    /// No prover has that name.
    UnknownProver = 3,
    /// The caller set the cancel word.
    Cancelled = 4,
    /// The prover panicked; the output is the panic's message.
    Panic = 5,
    /// A pointer that must not be null is null, is misaligned, or a name is not UTF-8.
    InvalidArgument = 6,
}

/// A status other than `Ok`, with a sentence.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }
}
