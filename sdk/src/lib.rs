//! Makes a program a prover of the Elastic Proving Service.
//!
//! Implement [`ProofHandler`] and call [`run`] in `src/bin/elastic.rs`:
//!
//! ```no_run
//! use elastic_sdk::ProofHandler;
//!
//! struct Square;
//!
//! impl ProofHandler for Square {
//!     type Input = u64;
//!     type Output = String;
//!     type Error = std::num::TryFromIntError;
//!
//!     async fn prove(input: u64) -> Result<String, Self::Error> {
//!         Ok(u128::from(input).pow(2).to_string())
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     elastic_sdk::run::<Square>()
//! }
//! ```
//!
//! The program then speaks the prover container contract over HTTP: the README has its table. Inside `prove`,
//! [`progress`] reports how far a proof is and [`cancelled`] whether it is still wanted.

mod body;
mod event;
mod handler;
mod input_error;
mod integer;
mod job;
mod log;
mod panics;
mod problem;
mod queue;
mod routes;
mod run;
mod server;
mod settings;
mod try_line;

pub use handler::ProofHandler;
pub use input_error::describe_input_error;
pub use integer::parse_integer;
pub use job::{cancelled, progress};
pub use run::run;
pub use server::serve;
pub use settings::Settings;
