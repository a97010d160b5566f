//! What operations cost, for the progress of a proof: nanoseconds of one thread that has no vector instructions, about. Only how they
//! compare matters, and only roughly.

/// Of as many columns of n elements each.
pub(crate) fn commit(n: usize, columns: usize) -> f64 {
    float(n) * float(columns) * 1800.0
}

pub(crate) fn ntt(n: usize, columns: usize) -> f64 {
    float(n) * float(columns) * f64::from(n.max(2).ilog2()) * 7.0
}

pub(crate) fn run(n: usize, instructions: usize) -> f64 {
    float(n) * float(instructions) * 12.0
}

pub(crate) fn permute(n: usize) -> f64 {
    float(n) * 150.0
}

pub(crate) fn product(n: usize) -> f64 {
    float(n) * 90.0
}

pub(crate) fn fold(n: usize, polys: usize) -> f64 {
    float(n) * float(polys) * 12.0
}

pub(crate) fn divide(n: usize, roots: usize) -> f64 {
    float(n) * float(roots) * 15.0
}

pub(crate) fn scale(n: usize) -> f64 {
    float(n) * 15.0
}

pub(crate) fn evaluate(n: usize, polys: usize) -> f64 {
    float(n) * float(polys) * 12.0
}

/// Of cells that a circuit may assign, and what is done with them: an estimate, since circuits differ.
pub(crate) fn synthesize(cells: usize) -> f64 {
    float(cells) * 100.0
}

/// Of n random elements.
pub(crate) fn random(n: usize) -> f64 {
    float(n) * 120.0
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn float(n: usize) -> f64 {
    n as f64
}
