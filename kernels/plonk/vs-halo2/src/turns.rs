//! Contenders in turns on one circuit, and what is printed of it.

use std::{collections::BTreeMap, error::Error, time::Instant};

use halo2_axiom::{plonk::keygen_pk2, poly::kzg::commitment::ParamsKZG};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use serde::Serialize;
use serde_json::json;

use crate::{
    circuits::Statement,
    contenders::{Contender, Ready, Task},
    workload::{Made, Workload},
};

/// Prints the times of all contenders for one workload.
pub(crate) fn compare(
    workload: Workload,
    rounds: usize,
    contenders: &[Contender],
) -> Result<(), Box<dyn Error>> {
    match workload.circuit() {
        Made::Hashes(circuit) => compare_on(workload, circuit, rounds, contenders),
        Made::Wide(circuit) => compare_on(workload, circuit, rounds, contenders),
    }
}

fn compare_on<C: Statement>(
    workload: Workload,
    circuit: C,
    rounds: usize,
    contenders: &[Contender],
) -> Result<(), Box<dyn Error>> {
    eprintln!("{}: parameters and key", workload.name());
    let params = ParamsKZG::setup(workload.k(), ChaCha20Rng::seed_from_u64(1));
    let key = keygen_pk2(&params, &circuit, false)?;
    let public = circuit.public();
    let task = Task { params, key, circuit, public };

    let mut ready = Vec::with_capacity(contenders.len());
    let mut ours: Option<Vec<u8>> = None;
    for &contender in contenders {
        match prepared(contender, &task) {
            Ok((prover, proof)) => {
                if contender.is_ours() && ours.get_or_insert_with(|| proof.clone()) != &proof {
                    return Err("proofs of one seed differ between the CPU and the GPU".into());
                }
                ready.push((contender, prover));
            }
            Err(why) if contender.is_ours() => return Err(why),
            Err(why) => left_out(workload, contender, &*why),
        }
    }
    let mut times: BTreeMap<(String, &str), Vec<f64>> = BTreeMap::new();
    for round in 1..=rounds {
        eprintln!("{}: {round} of {rounds}", workload.name());
        for (contender, prover) in &ready {
            let (stages, _) = prover.prove(&task, round as u64)?;
            for (stage, took) in stages {
                times.entry((contender.name(), stage)).or_default().push(took.as_secs_f64() * 1e3);
            }
        }
    }
    for ((side, metric), samples) in times {
        Row::new(workload, &side, metric, samples).print()?;
    }
    Ok(())
}

/// The contender, and a proof of it that is not timed, and that was verified.
fn prepared<C: Statement>(contender: Contender, task: &Task<C>) -> Result<(Ready, Vec<u8>), Box<dyn Error>> {
    let since = Instant::now();
    let prover = Ready::new(contender, task)?;
    let on = match &prover {
        Ready::Ours(prover) => format!("; {}", prover.context().describe()?),
        _ => String::new(),
    };
    eprintln!("{}: prepared in {:.0?}{on}", contender.name(), since.elapsed());
    let (_, proof) = prover.prove(task, 0)?;
    task.verify(&proof)?;
    Ok((prover, proof))
}

/// A peer that cannot prove this here.
fn left_out(workload: Workload, contender: Contender, why: &dyn Error) {
    let what = format!("{} of {}: {why}", workload.name(), contender.name());
    eprintln!("LEFT OUT: {what}");
    println!("{}", json!({ "left_out": what }));
}

/// A line of the output.
#[derive(Serialize)]
struct Row<'a> {
    workload: String,
    name: &'static str,
    size: String,
    side: &'a str,
    metric: &'a str,
    unit: &'static str,
    median: f64,
    min: f64,
    samples: usize,
}

impl<'a> Row<'a> {
    fn new(workload: Workload, side: &'a str, metric: &'a str, mut samples: Vec<f64>) -> Self {
        samples.sort_by(f64::total_cmp);
        let n = samples.len();
        Self {
            workload: workload.name(),
            name: workload.title(),
            size: workload.size(),
            side,
            metric,
            unit: "ms",
            median: f64::midpoint(samples[(n - 1) / 2], samples[n / 2]),
            min: samples[0],
            samples: n,
        }
    }

    fn print(&self) -> Result<(), serde_json::Error> {
        println!("{}", serde_json::to_string(self)?);
        Ok(())
    }
}
