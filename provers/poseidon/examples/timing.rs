//! Prints how long keys, proofs and verification take for each number of inputs, in milliseconds.
//!
//! `cargo run --release -p poseidon --example timing`

use std::time::Instant;

use poseidon::{Fr, INPUTS_MAX, Input, Prover, Srs, format_decimal, hash};

/// Proofs per row: the median of them is printed.
const REPETITIONS: usize = 21;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("inputs  key ms  prove+check ms (median)  worst  verify ms  text bytes");
    let prover = Prover::new(Srs::development());
    for inputs in 1..=INPUTS_MAX {
        let private: Vec<u64> = (1..=inputs as u64).collect();
        let public = format_decimal(&hash(&private.iter().map(|&x| Fr::from(x)).collect::<Vec<_>>()));
        let start = Instant::now();
        prover.warm(inputs)?;
        let key = start.elapsed().as_secs_f64() * 1e3;
        let input = Input::new(private, public.clone())?;
        let mut times = Vec::new();
        let mut proof = String::new();
        for _ in 0..REPETITIONS {
            let start = Instant::now();
            proof = prover.prove(&input)?;
            times.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times.sort_by(f64::total_cmp);
        let start = Instant::now();
        prover.verify(inputs, &public, &proof)?;
        let verify = start.elapsed().as_secs_f64() * 1e3;
        let (median, worst) = (times[REPETITIONS / 2], times[REPETITIONS - 1]);
        println!("{inputs:6} {key:7.1} {median:24.1} {worst:6.1} {verify:10.1} {:11}", proof.len());
    }
    Ok(())
}
