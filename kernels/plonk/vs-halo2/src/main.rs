//! Measures whole proofs: the same circuits, keys and generators for both provers, in turns, in one process. Each proof is
//! verified by halo2-axiom before anything is timed. It prints a JSON object a line; `bench/plonk/` makes rows of them.

mod hashes;
mod sides;
mod stages;
mod workload;

use std::{error::Error, process::ExitCode};

use clap::Parser;

use crate::{
    sides::Side,
    workload::{ALL, Workload},
};

const EXAMPLES: &str = "Examples:
  vs_halo2                                       all workloads; takes minutes
  vs_halo2 --workloads poseidon-2,chain-14       two of them
  vs_halo2 --workloads poseidon-2 --rounds 3     a trial run

Workloads: poseidon-2, poseidon-16, chain-14, chain-17.
A JSON object a line goes to the standard output, and what is being done to the standard error.";

/// Measures whole proofs against halo2-axiom's own prover.
#[derive(Parser)]
#[command(name = "vs_halo2", after_help = EXAMPLES)]
struct Arguments {
    /// Workloads to measure, with commas between them; without it, all
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    workloads: Vec<Workload>,
    /// Proofs of each side that are timed
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,
    /// Measures this side alone, to profile it
    #[arg(long, value_name = "SIDE")]
    only: Option<Side>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("vs_halo2: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let all = if arguments.workloads.is_empty() { &ALL[..] } else { &arguments.workloads };
    let sides = arguments.only.map_or_else(|| vec![Side::Ours, Side::Peer], |side| vec![side]);
    all.iter().try_for_each(|workload| sides::compare(*workload, usize::from(arguments.rounds), &sides))
}
