//! The demo prover as a program of the prover container contract: `cargo run --bin elastic`.

use elastic_sdk::{ProofHandler, cancelled, progress};
use poseidon::{Error, Input, Observer, Prover};

struct Poseidon;

impl ProofHandler for Poseidon {
    type Input = Input;
    /// The proof text: see the README for its format.
    type Output = String;
    type Error = Error;

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

fn main() -> std::io::Result<()> {
    elastic_sdk::run::<Poseidon>()
}
