//! Configures a step circuit and lays it out.

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{AssignedCell, Layouter, Value};
use midnight_proofs::plonk::{Advice, Column, ConstraintSystem};

use super::cell::Lane;
use super::error::{Error, SynthesisError};
use super::layouter::{Assignments, StepLayouter, refuse_instance};
use super::step_circuit::StepCircuit;

/// The smallest table, as a power of two.
pub const K_TABLE_SIZE_MIN: u32 = 17;
/// The largest table, as a power of two.
pub const K_TABLE_SIZE_MAX: u32 = 28;

/// A circuit's columns, with one more for the inputs of the step.
#[derive(Debug)]
pub(super) struct Configured<F: PrimeField, C> {
    pub(super) cs: ConstraintSystem<F>,
    pub(super) config: C,
    pub(super) inputs: Column<Advice>,
}

impl<F: PrimeField, C: Clone> Configured<F, C> {
    pub(super) fn new<const ARITY: usize, SC>() -> Result<Self, Error>
    where
        SC: StepCircuit<ARITY, F, Config = C> + ?Sized,
    {
        let mut cs = ConstraintSystem::default();
        let config = SC::configure(&mut cs);
        if cs.num_instance_columns() > 0 {
            refuse_instance();
        }
        if cs.num_challenges() > 0 {
            return Err(Error::Challenges);
        }
        if let Some((column, _)) = (0..).zip(cs.advice_column_phase()).find(|(_, phase)| *phase > 0) {
            return Err(Error::LaterPhase(Lane::Advice(column)));
        }
        let inputs = cs.advice_column();
        cs.enable_equality(inputs);
        Ok(Self { cs, config, inputs })
    }

    /// Rows of a table of this size that can be used.
    ///
    /// The front end keeps some for blinding. Nothing is blinded here, but circuits are laid out as everywhere else.
    pub(super) fn usable_rows(&self, k_table_size: u32) -> u32 {
        u32::try_from(self.reserved_rows())
            .map_or(0, |reserved| (1u32 << k_table_size).saturating_sub(reserved))
    }

    fn reserved_rows(&self) -> usize {
        self.cs.blinding_factors() + 1
    }

    /// Refuses a circuit of more rows than a table has.
    pub(super) fn check_rows(&self, rows: u64, k_table_size: u32) -> Result<(), Error> {
        if rows <= u64::from(self.usable_rows(k_table_size)) {
            return Ok(());
        }
        let all = rows.saturating_add(self.reserved_rows() as u64);
        let needed = all.checked_next_power_of_two().map_or(u64::BITS, u64::trailing_zeros);
        Err(Error::TooManyRows { rows, k_table_size, needed })
    }
}

/// Refuses tables that are too small or too large.
pub(super) fn check_table_size(k_table_size: u32) -> Result<(), Error> {
    let (smallest, largest) = (K_TABLE_SIZE_MIN, K_TABLE_SIZE_MAX);
    if (smallest..=largest).contains(&k_table_size) {
        Ok(())
    } else {
        Err(Error::TableSize { k_table_size, smallest, largest })
    }
}

/// Lays a circuit out: first a region with the step's inputs, then what the circuit assigns.
pub(super) fn synthesize<const ARITY: usize, F: PrimeField, SC, S: Assignments<F>>(
    circuit: &SC,
    config: SC::Config,
    inputs: Column<Advice>,
    z_in: [Value<F>; ARITY],
    layouter: &mut StepLayouter<F, S>,
) -> Result<[AssignedCell<F, F>; ARITY], SynthesisError>
where
    SC: StepCircuit<ARITY, F> + ?Sized,
{
    let cells = layouter.assign_region(
        || "inputs of the step",
        |mut region| {
            let mut cells = Vec::with_capacity(ARITY);
            for (row, value) in z_in.iter().enumerate() {
                cells.push(region.assign_advice(|| "input", inputs, row, || *value)?);
            }
            Ok(cells)
        },
    )?;
    let z_in: [AssignedCell<F, F>; ARITY] =
        cells.try_into().map_err(|_| midnight_proofs::plonk::Error::BoundsFailure)?;
    let outputs = circuit.synthesize_step(config, layouter, &z_in)?;
    layouter.outputs(&outputs);
    Ok(outputs)
}
