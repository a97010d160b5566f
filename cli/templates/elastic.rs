//! The prover as the service runs it. Try it here with `cargo run --bin elastic`; it listens on port 8080 (or
//! $PORT) and prints a `curl` line to copy.

use elastic_sdk::ProofHandler;
use serde::{Deserialize, Serialize};

struct Prover;

/// What stands under `input` in a task.
#[derive(Deserialize)]
struct Input {
    message: String,
}

/// What becomes the task's result.
#[derive(Serialize)]
struct Output {
    proof: String,
}

impl ProofHandler for Prover {
    type Input = Input;
    type Output = Output;
    type Error = String;

    /// Of the `curl` line.
    const EXAMPLE_INPUT: &'static str = r#"{"message":"hello"}"#;

    async fn prove(input: Input) -> Result<Output, String> {
        if input.message.is_empty() {
            return Err("there is nothing to prove about an empty message".to_owned());
        }
        // Your proof goes here. Report how far it is with `elastic_sdk::progress(0.5, "half of it")`.
        Ok(Output { proof: format!("not a proof yet: {}", input.message) })
    }
}

fn main() -> std::process::ExitCode {
    elastic_sdk::run::<Prover>()
}
