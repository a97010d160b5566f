//! The demo prover as a program of the prover container contract: `cargo run --bin elastic`.

use std::process::ExitCode;

use elastic_sdk::{ProofHandler, cancelled, progress};
use poseidon::{Error, Input, Observer, Prover, clear_max_degree};

struct Poseidon;

impl ProofHandler for Poseidon {
    type Input = Input;
    /// The proof text: see the README for its format.
    type Output = String;
    type Error = Error;

    const EXAMPLE_INPUT: &'static str = r#"{"private_input":[1,2],"public_input":"7853200120776062878684798364095072458815029376092732009249414926327459813530"}"#;

    async fn prove(input: Input) -> Result<String, Error> {
        Prover::global().map_err(Error::Srs)?.prove_observed(&input, &Task)
    }
}

/// Hands a proof's progress and cancellation on to the service.
struct Task;

impl Observer for Task {
    fn progress(&self, fraction: f64) {
        progress(fraction, "proving");
    }

    fn cancelled(&self) -> bool {
        cancelled()
    }
}

fn main() -> ExitCode {
    if let Err(error) = clear_max_degree() {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    elastic_sdk::run::<Poseidon>()
}
