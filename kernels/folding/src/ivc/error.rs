//! What can go wrong in incrementally verifiable computation.

use std::path::PathBuf;
use std::{fmt, io};

use super::BytesError;
use crate::snark::accumulators;
use crate::{commitment, frontend, gadgets, poseidon, protogalaxy};

/// Why parameters, a step or a proof are refused.
#[derive(thiserror::Error)]
pub enum Error {
    /// A step circuit cannot be folded, or a step of it cannot be made.
    #[error("the {curve} step circuit: {source}")]
    Step {
        /// Which of the two.
        curve: Side,
        /// Why.
        source: frontend::Error,
    },
    /// A step does not satisfy its circuit; found in debug mode.
    #[error("step {step} does not satisfy the {curve} step circuit: {violations}")]
    Unsatisfied {
        /// The step, counted from 0.
        step: u64,
        /// Which of the two.
        curve: Side,
        /// Where, and with what values.
        violations: String,
    },
    /// `process_step` computes something else than `synthesize_step`; found in debug mode.
    #[error("step {step} of the {curve} step circuit: process_step and synthesize_step differ")]
    Processed {
        /// The step, counted from 0.
        step: u64,
        /// Which of the two.
        curve: Side,
    },
    /// A key holds fewer points than there is to commit to.
    #[error(
        "the {curve} commitment key has size {found} (2^{found} points); {values} values need size {needed}"
    )]
    KeyTooSmall {
        /// Which of the two.
        curve: Side,
        /// The key's size, as a power of two.
        found: usize,
        /// What is to be committed to at once.
        values: usize,
        /// The size that would do, as a power of two.
        needed: usize,
    },
    /// Limbs that cannot work.
    #[error("limbs: {0}")]
    Limbs(#[from] gadgets::Error),
    /// A main gate without an S-box.
    #[error("a main gate of size 0: a row has to take one S-box at least")]
    MainGate,
    /// An oracle that cannot be used.
    #[error("the oracle: {0}")]
    Oracle(#[from] poseidon::Error),
    /// A commitment that cannot be made.
    #[error("a commitment: {0}")]
    Commitment(#[from] commitment::Error),
    /// Parameters of other circuits, keys or sizes than those that the computation was started with.
    #[error("these are not the public parameters that the computation was started with")]
    OtherParameters,
    /// The primary commitment key is not of powers of tau, so that nothing committed with it is opened succinctly.
    #[error(
        "the primary commitment key is transparent; a compressed proof needs one of powers of tau (CommitmentKey::from_ptau)"
    )]
    Transparent,
    /// A computation that cannot be compressed.
    #[error("a compressed proof: {0}")]
    Compression(#[from] accumulators::Error),
    /// Bytes that are not a proof of these parameters.
    #[error("not a proof: {0}")]
    Bytes(#[from] BytesError),
    /// A file that does not hold a computation of these parameters. It is left as it is.
    #[error("the computation in {path} is not resumed: {fault}")]
    Saved {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: BytesError,
    },
    /// A file that could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },
    /// The proof does not hold.
    #[error("the proof does not hold: {0}")]
    Refused(#[from] Refusal),
}

/// The sentence, which a `main` that returns it and `unwrap` print: the name of a variant alone says little.
impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// One of the two circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Over bn256's scalars.
    Primary,
    /// Over grumpkin's scalars.
    Secondary,
}

impl std::fmt::Display for Side {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Primary => "primary",
            Self::Secondary => "secondary",
        })
    }
}

/// Which check of a proof failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A computation of no steps proves nothing.
    #[error("it is of no steps")]
    NoSteps,
    /// It is of another number of steps than that of the statement.
    #[error("it is of {found} steps")]
    Steps {
        /// How many it is of.
        found: u64,
    },
    /// It starts elsewhere.
    #[error("it starts from another {0} input")]
    Start(Side),
    /// A part has another length than the parameters give it.
    #[error("its {0} has another shape")]
    Shape(&'static str),
    /// The last instance's public input is not the hash of the state.
    #[error("its last instance is of another state")]
    StateHash,
    /// The last instance's challenges do not follow from its commitments.
    #[error("the last instance's challenges do not follow from its commitments")]
    Challenges,
    /// The last instance's vector does not satisfy the circuit.
    #[error("its last instance does not satisfy the circuit")]
    LastInstance,
    /// Commitments or public parts are not those of the vector.
    #[error("the {0} is not of its vector")]
    Commitment(&'static str),
    /// The primary accumulator's claim does not hold.
    #[error("its primary accumulator's claim does not hold")]
    PrimaryAccumulator,
    /// The secondary accumulator's claim does not hold.
    #[error("its secondary accumulator's claim does not hold")]
    SecondaryAccumulator,
    /// The last instance is not folded as the accumulator is.
    #[error("its last instance's fold: {0}")]
    Fold(#[from] protogalaxy::Error),
    /// The compressed proof of both accumulators. It holds neither the number of steps nor the inputs, so that a proof of
    /// another statement, or under another key, falls here.
    #[error("it is of another statement or key, or damaged: {0}")]
    Accumulators(accumulators::Error),
}

#[cfg(test)]
mod tests {
    use super::Error;

    #[test]
    fn debug_is_the_sentence_that_a_main_prints() {
        let sentence = "the primary commitment key is transparent; a compressed proof needs one of powers of tau (CommitmentKey::from_ptau)";
        assert_eq!(format!("{:?}", Error::Transparent), sentence);
    }
}
