//! The primary circuit folds primary instances by ProtoGalaxy (eprint 2023/1106), and by cross terms the instances of a
//! co-processor on the other curve (CycleFold, eprint 2023/1192), which multiplies points and runs the secondary step.

mod advance;
mod bytes;
mod circuit;
mod compression;
mod computation;
mod coprocessor;
mod hashes;
#[cfg(test)]
mod mutations;
mod parameters;
mod proof;
mod public_params;
mod saved;
mod state;
mod verify;

pub use bytes::Error as BytesError;
pub use compression::{CompressedProof, KeyError, ProverKey, VerifierKey};
pub use computation::{IVC, Outputs};
pub use proof::Proof;
pub use public_params::PublicParams;

#[cfg(test)]
mod tests;
