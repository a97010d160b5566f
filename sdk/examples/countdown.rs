//! The smallest whole prover: it counts down instead of proving.
//!
//! `cargo run --example countdown`, then
//! `curl -H 'content-type: application/json' -H 'ce-specversion: 1.0' -H 'ce-id: 1' -H 'ce-source: local'
//! -H 'ce-type: task' --data '{"from":3,"ms_each":1000}' localhost:8080`

use std::{io, time::Duration};

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

fn main() -> io::Result<()> {
    elastic_sdk::run::<Countdown>()
}
