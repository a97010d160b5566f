//! The smallest complete prover: it counts down instead of proving.
//!
//! `cargo run --example countdown`, then the `curl` line that it prints.

use std::{process::ExitCode, time::Duration};

use elastic_sdk::ProofHandler;
use serde::{Deserialize, Serialize};

struct Countdown;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Input {
    from: u32,
    ms_each: u64,
}

#[derive(Serialize)]
struct Output {
    counted: u32,
}

impl ProofHandler for Countdown {
    type Input = Input;
    type Output = Output;
    type Error = String;

    const EXAMPLE_INPUT: &'static str = r#"{"from":3,"ms_each":1000}"#;

    async fn prove(input: Input) -> Result<Output, String> {
        if input.from == 0 {
            return Err("there is nothing to count down from 0".to_owned());
        }
        for left in (0..input.from).rev() {
            tokio::time::sleep(Duration::from_millis(input.ms_each)).await;
            let done = input.from - left;
            elastic_sdk::progress(f64::from(done) / f64::from(input.from), format!("{left} left"));
        }
        Ok(Output { counted: input.from })
    }
}

fn main() -> ExitCode {
    elastic_sdk::run::<Countdown>()
}
