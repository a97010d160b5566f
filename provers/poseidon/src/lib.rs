//! The demo prover of the Elastic Proving Service.
//!
//! It proves, in zero knowledge, *"I know field elements `x_1 … x_n` whose Poseidon hash is this public
//! value"*, for 1 to 16 elements. See this crate's README for the statement, the parameters and their
//! sources, the format of the proof text, and what the set-up parameters mean for its security.
//!
//! ```no_run
//! let prover = poseidon::Prover::from_env()?;
//! let input: poseidon::Input = serde_json::from_str(
//!     r#"{"private_input":[1,2],"public_input":"7853200120776062878684798364095072458815029376092732009249414926327459813530"}"#,
//! )?;
//! let proof = prover.prove(&input)?;
//! prover.verify(2, input.public_input(), &proof)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod circuit;
mod decimal;
mod error;
mod input;
mod keys;
mod maker;
mod max_degree;
mod observer;
mod parameters;
mod permutation;
mod proof_text;
mod prover;
mod srs;
mod transcript;

pub use circuit::constraint_system;
pub use decimal::{format_decimal, parse_decimal};
pub use error::{DecimalError, Error, Rejection, SrsError};
pub use input::{INPUTS_MAX, Input};
pub use max_degree::clear_max_degree;
pub use observer::Observer;
pub use parameters::{FULL_ROUNDS, Parameters, parameters};
pub use permutation::{hash, permute};
pub use proof_text::{decode_proof, encode_proof};
pub use prover::Prover;
pub use srs::{SRS_PATH_VARIABLE, Srs};

/// The scalar field of BN254 (also called bn256), in which the hash and the circuit live.
pub use halo2_axiom::halo2curves::bn256::Fr;
