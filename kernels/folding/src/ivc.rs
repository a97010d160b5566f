//! Incrementally verifiable computation.

mod advance;
mod assigned;
mod bytes;
mod circuit_input;
mod commitments;
mod compression;
mod computation;
mod coprocessor;
pub mod cross_term;
mod digest;
mod encode;
mod error;
mod hashes;
mod hashing;
#[cfg(test)]
mod mutations;
mod oracles;
mod parameters;
mod primary;
mod proof;
mod public_params;
mod recorded;
mod relaxed;
mod saved;
mod state;
mod step;
mod verify;

pub use bytes::Error as BytesError;
pub use circuit_input::CircuitPublicParamsInput;
pub use compression::{CompressedProof, KeyError, ProverKey, VerifierKey};
pub use computation::{IVC, Outputs};
pub use error::{Error, Refusal, Side};
pub use proof::Proof;
pub use public_params::PublicParams;

#[cfg(test)]
mod tests;
