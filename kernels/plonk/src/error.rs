//! Why there is no proof.

use std::io;

use halo2_axiom::plonk;
use thiserror::Error;
use zkaccel::Status;

/// The result of a call that may fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a prover was not prepared, or a proof not made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The key was made for another number of rows than the set-up parameters.
    #[error(
        "the key is for 2^{key} rows and the set-up parameters are for 2^{params}: make both with one k, or reduce the \
         parameters with `downsize({key})` before the key is made"
    )]
    KeyOfAnotherSize {
        /// The key's k.
        key: u32,
        /// The parameters' k.
        params: u32,
    },
    /// The set-up parameters have fewer points than the key has rows.
    #[error("the set-up parameters have {points} points and the key needs {needed} (2^{k})")]
    SrsTooSmall {
        /// The key's k.
        k: u32,
        /// Points that are needed.
        needed: usize,
        /// Points that there are.
        points: usize,
    },
    /// The parts of the key do not fit together.
    #[error("the proving key is malformed: it has {found} {what} where its constraint system has {expected}")]
    MalformedKey {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A column of the key has an element that is not below the modulus: its file is corrupt.
    #[error("the proving key is corrupt: {0}")]
    CorruptKey(zkaccel::Error),
    /// `MAX_DEGREE`, which halo2-axiom reads, is no number.
    #[error("the environment variable MAX_DEGREE is {0:?}, which is no number: unset it")]
    MaxDegree(String),
    /// A constraint is of a higher degree than the key was made for.
    #[error(
        "a constraint has degree {degree} and the key was made for degree {limit}: halo2-axiom takes degrees over 5 only \
         after `ConstraintSystem::set_minimum_degree`, or as the environment variable MAX_DEGREE allows"
    )]
    Degree {
        /// The highest degree of a constraint.
        degree: usize,
        /// What the key was made for.
        limit: usize,
    },
    /// The circuit is not the one that the key was made for: its columns or constraints may depend on its input.
    #[error("the circuit has {found} {what} where its key has {expected}")]
    OtherCircuit {
        /// Of what.
        what: &'static str,
        /// How many the circuit has.
        found: usize,
        /// How many the key has.
        expected: usize,
    },
    /// There are no circuits to prove.
    #[error("there is no circuit to prove")]
    NoCircuit,
    /// There is not one list of instances for each circuit.
    #[error("there are {circuits} circuits and instances for {instances}")]
    InstanceCount {
        /// How many circuits there are.
        circuits: usize,
        /// How many have instances.
        instances: usize,
    },
    /// A circuit has another number of instance columns.
    #[error("circuit {circuit} has {columns} columns of instances and its key {expected}")]
    InstanceColumns {
        /// Which of the circuits.
        circuit: usize,
        /// How many columns were passed.
        columns: usize,
        /// How many the key has.
        expected: usize,
    },
    /// An instance column is longer than the usable rows.
    #[error(
        "instance column {column} of circuit {circuit} has {values} values and the circuit {usable} usable rows"
    )]
    InstanceTooLong {
        /// Which of the circuits.
        circuit: usize,
        /// Which of its columns.
        column: usize,
        /// How many values it has.
        values: usize,
        /// How many would fit.
        usable: usize,
    },
    /// Several circuits in one proof have to be of one phase.
    #[error(
        "{circuits} circuits of {phases} phases cannot be proven together: only circuits of one phase can"
    )]
    SeveralPhases {
        /// How many circuits.
        circuits: usize,
        /// How many phases they have.
        phases: usize,
    },
    /// The circuit assigned an unknown value.
    #[error("the witness is not known: advice column {column}, row {row}")]
    UnknownWitness {
        /// The advice column.
        column: usize,
        /// Its row.
        row: usize,
    },
    /// The circuit assigned a cell outside of the columns or of the usable rows.
    #[error(
        "the circuit assigned advice column {column}, row {row}: there are {columns} columns of {usable} usable rows"
    )]
    CellOutside {
        /// The advice column.
        column: usize,
        /// Its row.
        row: usize,
        /// How many advice columns there are.
        columns: usize,
        /// How many rows may be assigned.
        usable: usize,
    },
    /// A challenge was not squeezed, because the circuit has no column of its phase.
    #[error("challenge {0} is of a phase that has no advice column")]
    ChallengeWithoutPhase(usize),
    /// The input of a lookup is not in its table: the witness is wrong.
    #[error("the input of lookup {lookup} of circuit {circuit} is not in its table at row {}", row.map_or("?".into(), |row| row.to_string()))]
    NotInTable {
        /// Which of the circuits.
        circuit: usize,
        /// Which of its lookups.
        lookup: usize,
        /// The first such row, where it is known.
        row: Option<u64>,
    },
    /// Two rotations of one column meet, since there are so few rows.
    #[error("a column is queried twice at one point: there are too few rows for its rotations")]
    QueriedTwice,
    /// The circuit refused.
    #[error("the circuit was not synthesized: {0}")]
    Synthesis(plonk::Error),
    /// The transcript refused.
    #[error("the transcript was not written: {0}")]
    Transcript(#[from] io::Error),
    /// The limits of the context are too low for a proof, or for its key, however long that takes.
    #[error("a proof needs {needed} bytes of {of} memory at least, and the context may take {limit}")]
    TooLittleMemory {
        /// Whose memory.
        of: &'static str,
        /// The least limit that is enough.
        needed: u64,
        /// What the limit is.
        limit: u64,
    },
    /// [`Cancellation::cancel`](crate::Cancellation::cancel) ended the proof.
    #[error("the proof was cancelled")]
    Cancelled,
    /// Memory has run out.
    #[error("out of memory: {0}")]
    OutOfMemory(zkaccel::Error),
    /// The device failed for good: only a prover in another context continues.
    #[error("the device is lost: {0}")]
    DeviceLost(zkaccel::Error),
    /// The acceleration library refused otherwise.
    #[error("the acceleration library failed: {0}")]
    Accel(zkaccel::Error),
}

impl From<zkaccel::Error> for Error {
    fn from(error: zkaccel::Error) -> Self {
        match error.status() {
            Status::Cancelled => Self::Cancelled,
            Status::OutOfHostMemory | Status::OutOfDeviceMemory => Self::OutOfMemory(error),
            Status::Poisoned => Self::DeviceLost(error),
            _ => Self::Accel(error),
        }
    }
}

/// For callers that were written for halo2-axiom's own prover.
impl From<Error> for plonk::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::InstanceCount { .. } | Error::InstanceColumns { .. } | Error::NoCircuit => {
                Self::InvalidInstances
            }
            Error::InstanceTooLong { .. } => Self::InstanceTooLarge,
            Error::UnknownWitness { .. } => Self::Synthesis,
            Error::CellOutside { .. } => Self::BoundsFailure,
            Error::Synthesis(error) => error,
            Error::Transcript(error) => Self::Transcript(error),
            Error::Accel(_)
            | Error::OutOfMemory(_)
            | Error::DeviceLost(_)
            | Error::Cancelled
            | Error::TooLittleMemory { .. } => Self::Transcript(io::Error::other(error)),
            _ => Self::ConstraintSystemFailure,
        }
    }
}
