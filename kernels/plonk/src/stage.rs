//! What a proof's time goes to, and how far it is.

use std::time::{Duration, Instant};

use crate::cancellation::Cancellation;

/// A part of making a proof, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Synthesis of the circuits, and the commitments to their advice columns.
    Witness,
    /// A' and S' of lookups, and their commitments.
    Lookups,
    /// Grand products of the permutation and of lookups, the random polynomial, and their commitments.
    Products,
    /// Columns to polynomials, the quotient polynomial, and the commitments to its pieces.
    Quotient,
    /// Evaluations of all polynomials.
    Evaluations,
    /// The multi-opening.
    Openings,
}

impl Stage {
    /// All of them, in their order.
    pub const ALL: [Self; 6] =
        [Self::Witness, Self::Lookups, Self::Products, Self::Quotient, Self::Evaluations, Self::Openings];
}

/// Follows a proof, and may end it.
pub trait Stages {
    /// A stage has ended that took as long.
    fn ended(&mut self, stage: Stage, took: Duration);

    /// So much of the proof is done, from 0 to 1, and the stage is what it is at. The fraction never falls, and follows the
    /// time that is needed, roughly: it is of the counts of operations that the proof was planned with.
    fn progressed(&mut self, _stage: Stage, _fraction: f64) {}

    /// What ends the proof. It is requested once, when the proof begins.
    fn cancellation(&self) -> Cancellation {
        Cancellation::new()
    }
}

impl Stages for () {
    fn ended(&mut self, _: Stage, _: Duration) {}
}

impl<F: FnMut(Stage, Duration)> Stages for F {
    fn ended(&mut self, stage: Stage, took: Duration) {
        self(stage, took);
    }
}

/// What each stage costs.
pub(crate) type Costs = [f64; Stage::ALL.len()];

/// Smaller steps of the fraction are not reported.
const STEP: f64 = 1.0 / 512.0;

/// Measures one stage after another.
pub(crate) struct Clock<'a> {
    stages: &'a mut dyn Stages,
    since: Instant,
    planned: Costs,
    at: Stage,
    /// Of the stage that it is at.
    done: f64,
    reported: f64,
}

impl<'a> Clock<'a> {
    pub(crate) fn start(stages: &'a mut dyn Stages, planned: Costs) -> Self {
        Self { stages, since: Instant::now(), planned, at: Stage::Witness, done: 0.0, reported: 0.0 }
    }

    pub(crate) fn cancellation(&self) -> Cancellation {
        self.stages.cancellation()
    }

    pub(crate) fn advance(&mut self, cost: f64) {
        self.done += cost;
        let before: f64 = self.planned.iter().take(self.at as usize).sum();
        self.report(before + self.done.min(self.planned[self.at as usize]), STEP);
    }

    pub(crate) fn end(&mut self, stage: Stage) {
        let now = Instant::now();
        self.stages.ended(stage, now - self.since);
        self.since = now;
        debug_assert!(
            (self.done - self.planned[stage as usize]).abs() <= 1e-6 * self.done.max(1.0),
            "{stage:?} was planned to cost {} and cost {}",
            self.planned[stage as usize],
            self.done
        );
        let passed = self.planned.iter().take(stage as usize + 1).sum();
        self.at = Stage::ALL.get(stage as usize + 1).copied().unwrap_or(stage);
        self.done = 0.0;
        self.report(passed, 0.0);
    }

    fn report(&mut self, passed: f64, step: f64) {
        let all: f64 = self.planned.iter().sum();
        let fraction = (passed / all).clamp(0.0, 1.0);
        if fraction >= self.reported + step {
            self.reported = fraction;
            self.stages.progressed(self.at, fraction);
        }
    }
}
