//! Contenders take turns with as many threads each, the peers in the machine's pool.

pub(crate) use zkaccel_measure::{Contender, Measured};
use zkaccel_measure::{Effort, Work};

use crate::machine::Machine;

/// The row's medians.
pub(crate) fn measure(
    machine: &Machine,
    effort: &Effort,
    (name, size, multiplications): (&'static str, String, f64),
    contenders: Vec<Contender<'_>>,
) -> Measured {
    let work = Work { name, size, threads: machine.threads, multiplications };
    zkaccel_measure::measure(work, effort, contenders, |turn| machine.peers.install(turn))
}
