//! What is measured, one module a row.

mod inversion;
mod lookup;
mod msm;
mod multiopen;
mod multiplication;
mod ntt;
mod quotient;

use zkaccel_measure::Effort;

use crate::{machine::Machine, turns::Measured};

type Rows = Result<Vec<Measured>, Box<dyn std::error::Error>>;

pub(crate) const ALL: [fn(&Machine, &Effort) -> Rows; 7] = [
    multiplication::rows,
    msm::rows,
    ntt::rows,
    inversion::rows,
    quotient::rows,
    multiopen::rows,
    lookup::rows,
];

/// The size 2^k by its name.
fn power(k: u32) -> String {
    format!("2^{k}")
}

/// The multiplications of work that is done `times` for each of `n`.
#[expect(clippy::cast_precision_loss, reason = "sizes have few digits")]
fn each(n: usize, times: usize) -> f64 {
    n as f64 * times as f64
}
