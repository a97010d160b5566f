//! Measures zkaccel on a GPU next to sppark, halo2-axiom-gpu and its own backend for the CPU, over the same inputs, in
//! turns, each result compared with the CPU's before it is timed. It prints a JSON object a line, as soon as it is known;
//! `bench/accel-gpu/` makes rows of them.
//!
//! Usage: `zkaccel-gpu-bench ROUNDS SECONDS [small]`, as zkaccel-bench has it.

mod contenders;
mod inputs;
mod machine;
mod peers;
mod rates;
mod report;
mod rows;

use std::process::ExitCode;

use zkaccel_measure::Effort;

use crate::{inputs::Inputs, machine::Machine};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("zkaccel-gpu-bench: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let effort = Effort::from_arguments(std::env::args().skip(1))?;
    let machine = Machine::new()?;
    report::library(&machine.gpu.describe()?)?;
    report::machine()?;
    rates::measure()?;
    let inputs = Inputs::new(effort.logs(rows::LOGS));
    for (name, rows) in rows::ALL {
        match rows(&machine, &inputs, &effort) {
            Ok(()) => {}
            Err(error) if machine::is_unsupported(&*error) => {
                report::left_out(&format!("{name}: not on this GPU ({error})"));
            }
            Err(error) => return Err(format!("{name}: {error}").into()),
        }
    }
    Ok(())
}
