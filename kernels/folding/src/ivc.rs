//! Incrementally verifiable computation: two schemes, each a folder with the same names for the same parts, and what both use.

mod assigned;
mod circuit_input;
mod commitments;
pub mod cross_term;
mod digest;
mod encode;
mod error;
mod hashing;
mod oracles;
mod protogalaxy;
mod recorded;
mod relaxed;
mod step;

pub use circuit_input::CircuitPublicParamsInput;
pub use error::{Error, Refusal, Side};
pub use protogalaxy::{
    BytesError, CompressedProof, IVC, KeyError, Outputs, Proof, ProverKey, PublicParams, VerifierKey,
};
