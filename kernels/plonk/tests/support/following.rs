//! Follows a proof, and cancels it where it is to.

use std::time::{Duration, Instant};

use elastic_plonk::{Cancellation, Stage, Stages};

/// What a proof said, with the time of each report.
pub(crate) struct Following {
    pub(crate) cancellation: Cancellation,
    /// The fraction at which the proof is cancelled.
    pub(crate) cancel_at: f64,
    pub(crate) began: Instant,
    pub(crate) reports: Vec<(f64, Duration)>,
}

impl Following {
    pub(crate) fn until(cancel_at: f64) -> Self {
        Self { cancellation: Cancellation::new(), cancel_at, began: Instant::now(), reports: Vec::new() }
    }

    /// To the end.
    pub(crate) fn to_the_end() -> Self {
        Self::until(f64::INFINITY)
    }
}

impl Stages for Following {
    fn ended(&mut self, _: Stage, _: Duration) {}

    fn progressed(&mut self, _: Stage, fraction: f64) {
        self.reports.push((fraction, self.began.elapsed()));
        if fraction >= self.cancel_at {
            self.cancellation.cancel();
        }
    }

    fn cancellation(&self) -> Cancellation {
        self.cancellation.clone()
    }
}
