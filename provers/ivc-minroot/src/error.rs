//! Everything that can go wrong, in words for the one who sent the input or the proof.

use std::path::PathBuf;

/// Why no proof was made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller requested a stop.
    #[error("the proof was cancelled")]
    Cancelled,
    /// The set-up parameters could not be used.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// Folding failed on a true statement: a fault of this program.
    #[error("folding failed: {0}")]
    Folding(#[from] elastic_folding::ivc::Error),
}

/// Why the set-up parameters could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The powers-of-tau file is none, or is too small.
    #[error("the set-up parameters of {path:?} ({variable}) cannot be used: {source}", variable = crate::SRS_PATH_VARIABLE)]
    PowersOfTau {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: elastic_folding::commitment::Error,
    },
    /// The parameters of this prover could not be made.
    #[error("the prover's parameters cannot be made: {0}")]
    Parameters(#[from] elastic_folding::ivc::Error),
    /// A key could not be made.
    #[error("the prover's keys cannot be made: {0}")]
    Keys(#[from] elastic_folding::commitment::Error),
    /// The acceleration library cannot be used.
    #[error("the acceleration library cannot be used: {0}")]
    Acceleration(#[from] elastic_folding::acceleration::Error),
    /// The oracle could not be made.
    #[error("the prover's oracle cannot be made: {0}")]
    Oracle(#[from] elastic_folding::poseidon::Error),
}

/// Why a proof text was not accepted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Rejection {
    /// A number of steps that nobody proves.
    #[error("the number of steps is 1 to {max}, not {0}", max = crate::STEPS_MAX)]
    Steps(u64),
    /// The text is not the one spelling of any bytes.
    #[error("the text is not canonical base64 of a proof: {0}")]
    Encoding(String),
    /// The first byte names another format.
    #[error("the proof is of format {found}; this is {expected}")]
    Format {
        /// The format that is read here.
        expected: u8,
        /// The one found.
        found: u8,
    },
    /// The bytes are not those of any proof.
    #[error("the text holds no proof: {0}")]
    Bytes(#[from] elastic_folding::snark::encoding::Error),
    /// The proof does not hold for this statement. Which part of the statement is another cannot be found: a proof holds
    /// neither the number of steps nor where they start.
    #[error("it does not prove these steps from this z0 under these set-up parameters: {0}")]
    Invalid(#[from] elastic_folding::ivc::Error),
}
