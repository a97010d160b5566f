//! Everything that can go wrong, in words for the one who sent the input or the proof.

use std::{fmt, io, path::PathBuf};

use crate::input::INPUTS_MAX;

/// Why a text is not a canonical decimal of a field element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalError {
    /// There is no digit.
    Empty,
    /// A character other than `0` to `9`.
    NotADigit(char),
    /// A zero before other digits.
    LeadingZero,
    /// The value is not below the modulus of the field.
    TooLarge,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::NotADigit(c) => write!(f, "{c:?} is not a decimal digit"),
            Self::LeadingZero => f.write_str("it has a leading zero"),
            Self::TooLarge => f.write_str(
                "it is not below the field's modulus \
                 21888242871839275222246405745257275088548364400416034343698204186575808495617",
            ),
        }
    }
}

impl std::error::Error for DecimalError {}

/// Why no proof was made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The statement is false: the private input does not hash to the public input.
    WrongPublicInput,
    /// The caller cancelled it.
    Cancelled,
    /// The set-up parameters could not be used.
    Srs(SrsError),
    /// The proof system failed on a true statement: a fault of this program.
    ProofSystem(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongPublicInput => {
                f.write_str("the Poseidon hash of private_input does not equal public_input")
            }
            Self::Cancelled => f.write_str("the proof was cancelled"),
            Self::Srs(error) => error.fmt(f),
            Self::ProofSystem(what) => write!(f, "the proof system failed: {what}"),
        }
    }
}

impl std::error::Error for Error {}

/// Why a proof was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rejection {
    /// No circuit has that many inputs.
    Inputs(usize),
    /// The public input is not a canonical decimal.
    PublicInput(DecimalError),
    /// The proof text is not the canonical base64 of any bytes.
    Encoding(String),
    /// The header is not that of a proof for this number of inputs.
    Header {
        /// The two header bytes that a proof of this statement has.
        expected: [u8; 2],
        /// Those found.
        found: [u8; 2],
    },
    /// The bytes are not a proof of this statement.
    Invalid,
    /// The proof would verify, but its bytes are not the ones that a prover writes.
    NotCanonical,
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inputs(n) => write!(f, "there is no circuit for {n} inputs, only for 1 to {INPUTS_MAX}"),
            Self::PublicInput(error) => write!(f, "the public input is not a canonical decimal: {error}"),
            Self::Encoding(what) => write!(f, "the proof text is not canonical base64: {what}"),
            Self::Header { expected, found } => write!(
                f,
                "the proof's header says format {}, {} inputs; expected format {}, {} inputs",
                found[0], found[1], expected[0], expected[1]
            ),
            Self::Invalid => f.write_str("the proof does not prove this statement"),
            Self::NotCanonical => f.write_str("the proof's bytes are not canonical"),
        }
    }
}

impl std::error::Error for Rejection {}

/// Why the set-up parameters could not be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum SrsError {
    /// The file could not be read.
    Read(PathBuf, io::Error),
    /// The file was read, and it is not usable.
    Unusable(PathBuf, String),
}

impl fmt::Display for SrsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => {
                write!(f, "could not read the powers-of-tau file {}: {error}", path.display())
            }
            Self::Unusable(path, what) => {
                write!(f, "the powers-of-tau file {} is unusable: {what}", path.display())
            }
        }
    }
}

impl std::error::Error for SrsError {}
