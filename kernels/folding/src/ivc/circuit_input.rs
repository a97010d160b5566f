//! What public parameters need of either circuit, and the checks of it.

use halo2curves::ff::PrimeField;

use super::{Error, Side};
use crate::commitment::{CommitmentKey, Curve};
use crate::frontend::{StepCircuit, StepSetup};
use crate::relation::Layout;
use crate::warning::warn;

/// What public parameters need of one of the two circuits. They borrow the key for as long as they exist, and the step circuit
/// only until they are made: its witness may change afterwards.
#[derive(Clone, Debug)]
pub struct CircuitPublicParamsInput<'key, 'circuit, C: Curve, SC, Constants> {
    pub(super) k_table_size: u32,
    pub(super) commitment_key: &'key CommitmentKey<C>,
    pub(super) ro_constant: Constants,
    pub(super) step_circuit: &'circuit SC,
}

impl<'key, 'circuit, C: Curve, SC, Constants> CircuitPublicParamsInput<'key, 'circuit, C, SC, Constants> {
    /// A circuit laid out in a table of `2^k_table_size` rows (17 or more), committed to with this key and hashed by an
    /// oracle of these constants.
    pub fn new(
        k_table_size: u32,
        commitment_key: &'key CommitmentKey<C>,
        ro_constant: Constants,
        step_circuit: &'circuit SC,
    ) -> Self {
        Self { k_table_size, commitment_key, ro_constant, step_circuit }
    }
}

/// Of the primary and the secondary oracle: whether it has fewer rounds than the reference.
pub(super) fn warn_of_few_rounds(below: [bool; 2]) {
    for (side, below) in [Side::Primary, Side::Secondary].into_iter().zip(below) {
        if below {
            warn(format_args!(
                "the {side} oracle has fewer rounds than the reference; no security is claimed for it"
            ));
        }
    }
}

/// Lays a step circuit out.
pub(super) fn setup<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>>(
    curve: Side,
    circuit: &SC,
    k_table_size: u32,
) -> Result<StepSetup<ARITY, F, SC>, Error> {
    StepSetup::new(circuit, k_table_size).map_err(|source| Error::Step { curve, source })
}

/// Checks that a key is long enough for each round, and for an error vector of this length.
pub(super) fn check_key<C: Curve>(
    side: Side,
    key: &CommitmentKey<C>,
    layout: &Layout,
    error: usize,
) -> Result<(), Error> {
    let values = layout.rounds.iter().copied().max().unwrap_or(0).max(error);
    if values <= key.len() {
        return Ok(());
    }
    let needed = values.next_power_of_two().trailing_zeros() as usize;
    Err(Error::KeyTooSmall { curve: side, found: key.k(), values, needed })
}
