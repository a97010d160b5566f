//! What memory a key and its proofs take, before any of it is taken.

mod ledger;
mod probe;
mod steps;
mod strategy;
mod walk;

use halo2_axiom::{halo2curves::bn256::G1Affine, plonk::ProvingKey};
pub(crate) use ledger::Ledger;
pub(crate) use probe::{Device, Probe};
pub(crate) use strategy::Strategy;
pub(crate) use walk::{Scheme, Walk};
use zkaccel::{Bytes, Config};

use crate::{
    error::{Error, Result},
    key::Shape,
    witness::Cells,
};

/// What a [`Prover`](crate::Prover) of a key and each of its proofs take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan {
    /// The most bytes that the context holds at any time: set-up parameters, the key, and one proof. It is what
    /// `Context::memory` reports at most. With a GPU that has not as much, scratch is smaller.
    pub peak: Bytes,
    /// The least that the limits of a context may be for there to be a proof.
    pub least: Bytes,
    /// What is held between proofs.
    pub resident: Bytes,
    /// Bytes of the host outside the context for what a circuit assigns, where no cell is assigned twice. A prover keeps them for
    /// its next proof; proofs at one time take them each.
    pub witness: u64,
    /// Whether limits make proofs take longer: columns are made again instead of held, or constraints are evaluated by parts.
    pub limited: bool,
}

/// A plan and what is done by it.
pub(crate) struct Planned {
    pub(crate) plan: Plan,
    pub(crate) strategy: Strategy,
}

/// How a prover of proofs of one circuit each is prepared where others hold `held`. Without limits nothing has to be planned.
pub(crate) fn strategy(config: &Config, key: &ProvingKey<G1Affine>, held: Bytes) -> Result<Strategy> {
    if config.host_bytes_max == 0 && config.device_bytes_max == 0 {
        return Ok(Strategy::fast(&Shape::new(key)?));
    }
    Ok(plan(config, key, 1, held)?.strategy)
}

/// For proofs of so many circuits, in a context of the configuration in which others hold `held`.
pub(crate) fn plan(
    config: &Config,
    key: &ProvingKey<G1Affine>,
    circuits: usize,
    held: Bytes,
) -> Result<Planned> {
    let shape = Shape::new(key)?;
    let probe = Probe::new(config, &shape)?;
    let limit = |max: u64, held: u64| if max == 0 { u64::MAX } else { max.saturating_sub(held) };
    let limits = Bytes {
        host: limit(config.host_bytes_max, held.host),
        device: limit(config.device_bytes_max, held.device),
    };
    let mut programs = probe.programs(&shape, usize::MAX)?;
    let mut strategies = Strategy::from_fast_to_lean(&shape, programs.columns()).peekable();
    let mut compiled_for = usize::MAX;
    loop {
        let Some(strategy) = strategies.next() else { unreachable!("the leanest returns") };
        if strategy.columns_max != compiled_for {
            programs = probe.programs(&shape, strategy.columns_max)?;
            compiled_for = strategy.columns_max;
        }
        let mut peak = Ledger::default();
        for scheme in [Scheme::Shplonk, Scheme::Gwc] {
            let mut ledger = Ledger::default();
            let walk = Walk::new(&shape, &strategy, &programs, probe.device());
            walk.prepare(&mut ledger, probe.program_bytes(&programs))?;
            walk.prove(&mut ledger, circuits, scheme)?;
            peak.join(&ledger);
        }
        let least = peak.least();
        if least.host <= limits.host && least.device <= limits.device {
            let most = peak.peak();
            let bounded = Bytes { host: most.host.min(limits.host), device: most.device.min(limits.device) };
            let witness = Cells::bytes(shape.column_phases.len(), shape.rows);
            let limited = strategy.is_limited(&shape);
            let plan = Plan { peak: bounded, least, resident: peak.held(), witness, limited };
            return Ok(Planned { plan, strategy });
        }
        if strategies.peek().is_none() {
            return Err(too_small(least, limits, held));
        }
    }
}

/// What is needed, with what others hold.
pub(crate) fn too_small(least: Bytes, limits: Bytes, held: Bytes) -> Error {
    if least.host > limits.host {
        let (needed, limit) = (least.host + held.host, limits.host + held.host);
        return Error::TooLittleMemory { of: "host", needed, limit };
    }
    let (needed, limit) = (least.device + held.device, limits.device + held.device);
    Error::TooLittleMemory { of: "device", needed, limit }
}
