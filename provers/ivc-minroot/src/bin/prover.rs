//! The prover as a program of the prover container contract.

use elastic_sdk::{ProofHandler, cancelled, progress};
use ivc_minroot::{Error, Input, Observer, Prover};

struct MinRoot;

impl ProofHandler for MinRoot {
    type Input = Input;
    /// The proof text: see the README for its format.
    type Output = String;
    type Error = Error;

    const EXAMPLE_INPUT: &'static str = r#"{"steps":3,"z0":["0","1"]}"#;

    async fn prove(input: Input) -> Result<String, Error> {
        Prover::global()?.prove_observed(&input, &Task)
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

fn main() -> std::process::ExitCode {
    elastic_sdk::run::<MinRoot>()
}
