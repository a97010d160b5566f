//! Measures whole proofs: the same circuits, keys and generators for all provers, in turns, in one process. A proof of each is
//! verified by halo2-axiom before anything is timed. It prints a JSON object a line; `bench/plonk/` makes rows of them.

mod circuits;
mod contenders;
mod stages;
mod turns;
mod workload;

use std::{error::Error, process::ExitCode};

use clap::Parser;

use crate::{
    contenders::Contender,
    workload::{ALL, Workload},
};

const EXAMPLES: &str = "Examples:
  vs_halo2                                       all workloads; takes minutes
  vs_halo2 --workloads poseidon-2,chain-14       two of them
  vs_halo2 --workloads poseidon-2 --rounds 3     a trial run
  vs_halo2 --workloads chain-14 --contenders elastic-plonk
                                                 one of them, to profile it

Workloads: poseidon-2, poseidon-16, chain-14, chain-17, wide-16, and only where it is named chain-20.
Contenders: elastic-plonk, halo2-axiom; only where they are named elastic-plonk-gpu and, in a program that was built with
the feature gpu, halo2-axiom-gpu.
A JSON object a line goes to the standard output, and what is being done to the standard error.";

/// Measures whole proofs against halo2-axiom's own prover.
#[derive(Parser)]
#[command(name = "vs_halo2", after_help = EXAMPLES)]
struct Arguments {
    /// Workloads to measure, with commas between them; without it, all
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    workloads: Vec<Workload>,
    /// Proofs of each contender that are timed
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u16).range(1..=1000))]
    rounds: u16,
    /// Provers to compare, in the order of their turns, with commas between them
    #[arg(long, value_delimiter = ',', value_name = "NAME,...", default_value = "elastic-plonk,halo2-axiom")]
    contenders: Vec<Contender>,
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
    all.iter().try_for_each(|workload| {
        turns::compare(*workload, usize::from(arguments.rounds), &arguments.contenders)
    })
}
