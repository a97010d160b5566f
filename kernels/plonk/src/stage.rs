//! What a proof's time goes to.

use std::time::{Duration, Instant};

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

/// Is notified of each stage that has ended.
pub trait Stages {
    /// A stage has ended that took as long.
    fn ended(&mut self, stage: Stage, took: Duration);
}

impl Stages for () {
    fn ended(&mut self, _: Stage, _: Duration) {}
}

impl<F: FnMut(Stage, Duration)> Stages for F {
    fn ended(&mut self, stage: Stage, took: Duration) {
        self(stage, took);
    }
}

/// Measures one stage after another.
pub(crate) struct Clock<'a> {
    stages: &'a mut dyn Stages,
    since: Instant,
}

impl<'a> Clock<'a> {
    pub(crate) fn start(stages: &'a mut dyn Stages) -> Self {
        Self { stages, since: Instant::now() }
    }

    pub(crate) fn end(&mut self, stage: Stage) {
        let now = Instant::now();
        self.stages.ended(stage, now - self.since);
        self.since = now;
    }
}
