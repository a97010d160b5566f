//! Adds up what is taken and released, and what operations cost.

use zkaccel::Bytes;

use crate::stage::{Costs, Stage};

/// Bytes that are held, and the most that ever were: with all the scratch that operations would like, and with the least that they can
/// do with.
#[derive(Clone, Default)]
pub(crate) struct Ledger {
    held: Bytes,
    peak: Bytes,
    least: Bytes,
    costs: Costs,
    stage: usize,
}

impl Ledger {
    pub(crate) fn take(&mut self, bytes: Bytes) {
        self.held = sum(self.held, bytes);
        self.scratch(Bytes::default(), Bytes::default());
    }

    pub(crate) fn release(&mut self, bytes: Bytes) {
        self.held = Bytes {
            host: self.held.host.saturating_sub(bytes.host),
            device: self.held.device.saturating_sub(bytes.device),
        };
    }

    pub(crate) fn scratch(&mut self, wanted: Bytes, least: Bytes) {
        self.peak = most(self.peak, sum(self.held, wanted));
        self.least = most(self.least, sum(self.held, least));
    }

    pub(crate) fn cost(&mut self, cost: f64) {
        self.costs[self.stage] += cost;
    }

    pub(crate) fn end(&mut self, stage: Stage) {
        self.stage = (stage as usize + 1).min(Stage::ALL.len() - 1);
    }

    /// The highest of two peaks.
    pub(crate) fn join(&mut self, other: &Self) {
        self.held = most(self.held, other.held);
        self.peak = most(self.peak, other.peak);
        self.least = most(self.least, other.least);
    }

    pub(crate) fn held(&self) -> Bytes {
        self.held
    }

    pub(crate) fn peak(&self) -> Bytes {
        self.peak
    }

    pub(crate) fn least(&self) -> Bytes {
        self.least
    }

    pub(crate) fn costs(&self) -> Costs {
        self.costs
    }
}

fn sum(a: Bytes, b: Bytes) -> Bytes {
    Bytes { host: a.host.saturating_add(b.host), device: a.device.saturating_add(b.device) }
}

fn most(a: Bytes, b: Bytes) -> Bytes {
    Bytes { host: a.host.max(b.host), device: a.device.max(b.device) }
}
