//! Measures folding against nova-snark: the same steps, in turns, in one process, each output compared with a plain
//! function's. It prints a JSON object a line; `bench/folding/` makes rows of them.

mod compare;
mod elastic;
mod error;
mod memory;
mod meter;
mod nova;
mod row;
mod side;
mod sides;
mod workload;
mod workloads;

use std::process::ExitCode;

use clap::{Parser, ValueEnum};

use crate::{compare::Compare, error::Error, memory::Memory, sides::NamedSide, workloads::Named};

const EXAMPLES: &str = "Examples:
  vs_nova                                            all workloads, all sides; takes minutes
  vs_nova --workloads trivial,minroot-1024           two of them
  vs_nova --only nova --steps 3 --warm-up 3          a trial run of one side
  vs_nova --memory nova poseidon-100                 what one side holds at most

Workloads: trivial, minroot-N, poseidon-N and and-N, with N iterations, hashes or pairs a step.
A JSON object a line goes to the standard output, and what is being done to the standard error.";

/// Measures folding against nova-snark.
#[derive(Parser)]
#[command(name = "vs_nova", after_help = EXAMPLES)]
struct Arguments {
    /// Workloads to measure, with commas between them; without it, those that are published
    #[arg(long, value_delimiter = ',', value_name = "NAME,...")]
    workloads: Vec<Named>,
    /// Measures this side alone
    #[arg(long, value_name = "SIDE", conflicts_with = "memory")]
    only: Option<NamedSide>,
    /// Steps that are timed
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    steps: u16,
    /// Steps before those
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    warm_up: u16,
    /// Threads of each side
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Prints the most memory that one side holds, and nothing else
    #[arg(long, num_args = 2, value_names = ["SIDE", "WORKLOAD"], conflicts_with = "workloads")]
    memory: Option<Vec<String>>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("vs_nova: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Error> {
    let threads = usize::from(arguments.threads);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    if let Some(memory) = &arguments.memory {
        let (side, named) = memory_arguments(memory);
        return pool.install(|| named.run(&Memory { side, threads }));
    }
    let compare = Compare {
        sides: arguments.only.map_or_else(|| NamedSide::value_variants().to_vec(), |side| vec![side]),
        threads,
        warm_up: usize::from(arguments.warm_up),
        steps: usize::from(arguments.steps),
    };
    let all = if arguments.workloads.is_empty() { &workloads::ALL[..] } else { &arguments.workloads };
    all.iter().try_for_each(|named| pool.install(|| named.run(&compare)))
}

/// Ends the program with a usage error where these name nothing.
fn memory_arguments(memory: &[String]) -> (NamedSide, Named) {
    let side = NamedSide::from_str(&memory[0], false).unwrap_or_else(|why| refuse(why));
    (side, memory[1].parse().unwrap_or_else(|why| refuse(why)))
}

fn refuse(why: String) -> ! {
    clap::Error::raw(clap::error::ErrorKind::InvalidValue, why + "\n").exit()
}
