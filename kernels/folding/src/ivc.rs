//! Incrementally verifiable computation.

mod advance;
mod assigned;
mod computation;
mod coprocessor;
mod encode;
mod error;
mod hashes;
mod hashing;
mod oracles;
mod parameters;
mod primary;
mod public_params;
mod state;
mod verify;

pub use computation::{IVC, Outputs};
pub use error::{Error, Refusal, Side};
pub use public_params::{CircuitPublicParamsInput, PublicParams};

#[cfg(test)]
mod tests;
