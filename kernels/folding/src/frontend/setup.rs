//! Set-up of a step circuit: its layout, and what is folded of it.

use std::fmt;

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{AssignedCell, Value};
use midnight_proofs::plonk::{Advice, Column};

use super::cell::CellName;
use super::cells::{Cells, FixedColumns};
use super::classes::{Classes, classes};
use super::digest::LayoutDigest;
use super::error::Error;
use super::gates::{gates, tied_inputs};
use super::layout::Layout;
use super::layouter::StepLayouter;
use super::lookups::lookups;
use super::operand::{Constants, Operand};
use super::recorder::Recorder;
use super::shape::StepShape;
use super::step_circuit::StepCircuit;
use super::synthesis::{Configured, check_table_size, synthesize};
use super::tape::Tape;

/// A step circuit whose layout is known, so that a step of it only takes values.
pub struct StepSetup<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>> {
    pub(super) config: SC::Config,
    pub(super) inputs: Column<Advice>,
    shape: StepShape<F>,
    pub(super) tape: Tape<F>,
}

impl<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>> StepSetup<ARITY, F, SC> {
    /// Configures a circuit and lays it out in a table of `2^k_table_size` rows.
    ///
    /// # Errors
    ///
    /// If the table is too small, or the circuit is one that cannot be folded, or that no values can satisfy.
    ///
    /// # Panics
    ///
    /// If the circuit has instance columns.
    pub fn new(circuit: &SC, k_table_size: u32) -> Result<Self, Error> {
        check_table_size(k_table_size)?;
        Self::with_any_table(circuit, k_table_size)
    }

    /// As [`StepSetup::new`] without its lower limit.
    pub(super) fn with_any_table(circuit: &SC, k_table_size: u32) -> Result<Self, Error> {
        let configured = Configured::<F, SC::Config>::new::<ARITY, SC>()?;
        let (layout, outputs, digest) = record(circuit, &configured)?;
        configured.check_rows(layout.rows, k_table_size)?;
        let fixed = FixedColumns::new(&layout, configured.usable_rows(k_table_size));
        let classes = classes(&layout, &fixed, ARITY)?;
        let table_rows = 1 << k_table_size;
        let shape = shape(&configured, &layout, &fixed, &classes, &outputs, table_rows)?;
        let tape = Tape::new(layout, classes, digest);
        Ok(Self { config: configured.config, inputs: configured.inputs, shape, tape })
    }

    /// What is folded of the circuit.
    pub fn shape(&self) -> &StepShape<F> {
        &self.shape
    }
}

impl<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>> fmt::Debug for StepSetup<ARITY, F, SC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepSetup").field("shape", &self.shape).finish_non_exhaustive()
    }
}

/// An output's cell, if its region has ended.
type Output = Option<CellName>;

fn record<const ARITY: usize, F: PrimeField, SC: StepCircuit<ARITY, F>>(
    circuit: &SC,
    configured: &Configured<F, SC::Config>,
) -> Result<(Layout<F>, [Output; ARITY], LayoutDigest), Error> {
    let mut layouter = StepLayouter::new(Recorder::new(&configured.cs, false));
    let unknown = [Value::unknown(); ARITY];
    let outputs = synthesize(circuit, configured.config.clone(), configured.inputs, unknown, &mut layouter);
    let name = |output: &AssignedCell<F, F>| layouter.assignments.name(output.cell());
    let named = outputs.map(|outputs| outputs.each_ref().map(name));
    // What the recorder found is the reason for what was returned to the circuit.
    let layout = layouter.assignments.finish()?;
    Ok((layout, named?, layouter.digest))
}

fn shape<const ARITY: usize, F: PrimeField, C: Clone>(
    configured: &Configured<F, C>,
    layout: &Layout<F>,
    fixed: &FixedColumns<F>,
    classes: &Classes<F>,
    outputs: &[Output; ARITY],
    table_rows: u32,
) -> Result<StepShape<F>, Error> {
    let cells = Cells::new(layout, table_rows, fixed, &classes.cells, &classes.constants);
    let mut constants = Constants::default();
    let column = u32::try_from(configured.inputs.index()).map_err(|_| Error::TooManyCells)?;
    let mut all: Vec<_> = tied_inputs(&classes.tied_inputs, column, &mut constants).into_iter().collect();
    all.extend(gates(&configured.cs, &cells, &mut constants)?);
    let (lookups, tables) = lookups(&configured.cs, &cells, &mut constants)?;
    let mut operands: Vec<Operand<F>> = Vec::with_capacity(ARITY);
    for (number, output) in outputs.iter().enumerate() {
        let operand = output.and_then(|cell| cells.operand(cell));
        operands.push(operand.ok_or(Error::OutputNotAssigned(number))?);
    }
    Ok(StepShape {
        arity: ARITY,
        variables: classes.variables as usize,
        outputs: operands,
        gates: all,
        lookups,
        tables,
        constants,
        table_rows,
    })
}
