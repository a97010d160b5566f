//! MinRoot over bn256's scalars: `x' = (x + y)^(1/5)`, `y' = x` (Khovratovich, Maller, Tiwari, "MinRoot: Candidate
//! Sequential Function for Ethereum VDF", eprint 2022/1626).
//!
//! A root takes some 250 squarings to find, one after the other, and three products to check. [`evaluate`] finds them,
//! [`MinRootCircuit`] checks a step of them, and [`Prover`] proves any number of steps by a few kilobytes. See this crate's
//! README for the statement, the format of the proof text, and what the set-up parameters mean for its security.

mod acceleration;
mod circuit;
mod decimal;
mod error;
mod function;
mod input;
mod observer;
mod proof_text;
mod prover;
mod setup;

pub use circuit::{MinRootCircuit, MinRootConfig};
pub use decimal::{format_decimal, parse_decimal};
pub use error::{Error, Rejection, SetupError};
pub use function::{Evaluation, evaluate};
pub use input::{Input, STEPS_MAX};
pub use observer::Observer;
pub use prover::Prover;
pub use setup::{ITERATIONS, SRS_PATH_VARIABLE, Setup};

/// The field in which the function computes: bn256's scalars.
pub use halo2curves::bn256::Fr;
