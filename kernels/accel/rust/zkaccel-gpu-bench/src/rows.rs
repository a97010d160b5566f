//! What is measured, one module an operation.

mod inversion;
mod lookup;
mod msm;
mod multiopen;
mod ntt;
mod quotient;

use std::error::Error;

use zkaccel_measure::Effort;

use crate::{inputs::Inputs, machine::Machine};

type Rows = Result<(), Box<dyn Error>>;

/// Logarithms of the sizes.
pub(crate) const LOGS: &[u32] = &[16, 18, 20, 22, 24, 26];
/// Those of what takes many columns.
const LOGS_OF_MANY: &[u32] = &[16, 18, 20, 22];

type Measure = fn(&Machine, &Inputs, &Effort) -> Rows;

pub(crate) const ALL: [(&str, Measure); 8] = [
    ("multi-scalar multiplication", msm::rows),
    ("number theoretic transform", ntt::rows),
    ("batch inversion", inversion::rows),
    ("quotient", quotient::rows),
    ("multiopen: fold", multiopen::folds),
    ("multiopen: division", multiopen::divisions),
    ("multiopen: value", multiopen::values),
    ("permuted columns of a lookup", lookup::rows),
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
