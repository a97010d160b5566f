//! Contenders take turns, round after round, so that what the machine does meanwhile meets all alike.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::{effort::Effort, machine::Machine};

/// One that does the row's work once a call. It keeps its memory from call to call.
pub(crate) struct Contender<'a> {
    pub(crate) name: &'static str,
    pub(crate) run: Box<dyn FnMut() + Send + 'a>,
}

impl<'a> Contender<'a> {
    pub(crate) fn new(name: &'static str, run: impl FnMut() + Send + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// One row: what was done, and the milliseconds that each contender took.
#[derive(Serialize)]
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) size: String,
    pub(crate) threads: u32,
    pub(crate) contenders: Vec<Milliseconds>,
    /// Multiplications of field elements that the work takes as the textbook has it.
    pub(crate) multiplications: f64,
}

#[derive(Serialize)]
pub(crate) struct Milliseconds {
    pub(crate) name: &'static str,
    pub(crate) median: f64,
}

/// The row's medians. Every other round goes backwards: nobody always comes after the same one.
pub(crate) fn measure(
    machine: &Machine,
    effort: &Effort,
    (name, size, multiplications): (&'static str, String, f64),
    mut contenders: Vec<Contender<'_>>,
) -> Measured {
    eprintln!("{name}, {size}, {} threads", machine.threads);
    let mut times = vec![Vec::new(); contenders.len()];
    for round in 0..effort.rounds {
        let mut order: Vec<_> = (0..contenders.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for at in order {
            let run = &mut contenders[at].run;
            times[at].push(machine.peers.install(|| of_one_call(effort.time, run)));
        }
    }
    let medians =
        contenders.iter().zip(times).map(|(of, times)| Milliseconds { name: of.name, median: median(times) });
    Measured { name, size, threads: machine.threads, contenders: medians.collect(), multiplications }
}

/// The median time of a call, of as many as there is time for.
fn of_one_call(time: Duration, run: &mut (dyn FnMut() + Send)) -> f64 {
    let began = Instant::now();
    let mut calls = Vec::new();
    while calls.is_empty() || began.elapsed() < time {
        let call = Instant::now();
        run();
        calls.push(call.elapsed().as_secs_f64() * 1e3);
    }
    median(calls)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    f64::midpoint(low, high)
}
