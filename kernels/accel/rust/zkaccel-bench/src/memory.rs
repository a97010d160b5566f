//! The memory of a multi-scalar multiplication in addition to its bases and scalars: as predicted, and as measured.

use serde::Serialize;
use zkaccel::{Bases, BasesOptions, Buffer};
use zkaccel_measure::Effort;

use crate::{inputs, machine::Machine};

const LOGS: &[u32] = &[12, 20];

#[derive(Serialize)]
pub(crate) struct Scratch {
    name: &'static str,
    size: String,
    threads: u32,
    planned_bytes: u64,
    /// The most that the context held during the call, less what it held before.
    taken_bytes: u64,
}

pub(crate) fn of_multiplications(
    machine: &Machine,
    effort: &Effort,
) -> Result<Vec<Scratch>, Box<dyn std::error::Error>> {
    effort.logs(LOGS).iter().map(|&k| of_multiplication(machine, k)).collect()
}

/// In a separate context, since contexts report the most that they ever held.
fn of_multiplication(machine: &Machine, k: u32) -> Result<Scratch, Box<dyn std::error::Error>> {
    let n = 1 << k;
    let context = machine.best().alike()?;
    let bases = Bases::new(&context, &inputs::points(n), BasesOptions::default())?;
    let scalars = Buffer::of(&context, &inputs::scalars(n))?;
    let before = context.memory()?;
    bases.msm(&scalars)?;
    let after = context.memory()?;
    // Making the bases took more: then the call took less than can be seen.
    assert!(after.peak.host > before.peak.host, "the multiplication is not what took the most");
    Ok(Scratch {
        name: "multi-scalar multiplication",
        size: format!("2^{k}"),
        threads: machine.threads,
        planned_bytes: bases.msm_bytes(n, 1)?.host,
        taken_bytes: after.peak.host - before.now.host,
    })
}
