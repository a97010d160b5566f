//! Records the layout of a circuit, and places its regions as it goes.

mod assignments;
mod region;
mod table;

use std::collections::{HashMap, HashSet};

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{Cell, Value};
use midnight_proofs::plonk::{self, ConstraintSystem, TableColumn, TableError};
use midnight_proofs::utils::rational::Rational;

use super::cell::{CellName, Lane};
use super::error::Error;
use super::layout::Layout;
use super::layouter::lane;
use region::OpenRegion;

/// Records a layout.
///
/// A region is placed when it ends, at the first row from which on none of its columns is in use, and global constants
/// go to the first column enabled for them: the rows are those of the front end's own single-pass layouter.
#[derive(Debug)]
pub(super) struct Recorder<F: PrimeField> {
    /// Whether values of advice cells are requested, so that the circuit can compute with them.
    evaluate: bool,
    equality: HashSet<Lane>,
    constants: Option<u32>,
    first_free: HashMap<Lane, u32>,
    filled: Vec<TableColumn>,
    open: OpenRegion<F>,
    layout: Layout<F>,
    failure: Option<Error>,
}

impl<F: PrimeField> Recorder<F> {
    pub(super) fn new(cs: &ConstraintSystem<F>, evaluate: bool) -> Self {
        Self {
            evaluate,
            equality: cs.permutation().columns.iter().map(|column| lane(*column)).collect(),
            constants: cs.constants().first().and_then(|column| u32::try_from(column.index()).ok()),
            first_free: HashMap::new(),
            filled: Vec::new(),
            open: OpenRegion::default(),
            layout: Layout::default(),
            failure: None,
        }
    }

    /// The layout, unless something failed that is more than what was returned to the circuit.
    pub(super) fn finish(self) -> Result<Layout<F>, Error> {
        match self.failure {
            Some(error) => Err(error),
            None => Ok(self.layout),
        }
    }

    /// The row of a cell of a region that has ended.
    pub(super) fn name(&self, cell: Cell) -> Option<CellName> {
        let start = self.layout.regions.get(*cell.region_index)?.start;
        let row = start.checked_add(u32::try_from(cell.row_offset).ok()?)?;
        Some(CellName { lane: lane(cell.column), row })
    }

    fn expect_equality(&self, cell: Cell) -> Result<(), plonk::Error> {
        if *cell.region_index > self.layout.regions.len() {
            return Err(plonk::Error::BoundsFailure);
        }
        if self.equality.contains(&lane(cell.column)) {
            Ok(())
        } else {
            Err(plonk::Error::ColumnNotInPermutation(cell.column))
        }
    }

    /// What fills the rest of a table's column is what it holds: nothing else is assigned to it afterwards.
    fn expect_unfilled(&self, column: u32) -> Result<(), plonk::Error> {
        match self.filled.iter().find(|filled| filled.inner().index() == column as usize) {
            Some(filled) => Err(plonk::Error::TableError(TableError::UsedColumn(*filled))),
            None => Ok(()),
        }
    }

    /// Ties two cells, whose rows are rows of the circuit even where nothing is assigned.
    fn tie(&mut self, left: CellName, right: CellName) {
        let end = u64::from(left.row.max(right.row)) + 1;
        self.layout.rows = self.layout.rows.max(end);
        self.layout.copies.push((left, right));
    }

    /// Puts the open region's global constants into cells of their own.
    fn place_constants(&mut self, constants: Vec<(F, Cell)>) -> Result<(), plonk::Error> {
        let Some(column) = self.constants else {
            return if constants.is_empty() {
                Ok(())
            } else {
                Err(plonk::Error::NotEnoughColumnsForConstants)
            };
        };
        if !constants.is_empty() {
            self.expect_unfilled(column)?;
        }
        for (value, cell) in constants {
            let to = self.name(cell).ok_or(plonk::Error::BoundsFailure)?;
            let row = self.first_free.entry(Lane::Fixed(column)).or_default();
            let constant = CellName { lane: Lane::Fixed(column), row: *row };
            *row = row.saturating_add(1);
            self.layout.fixed.push((constant, value));
            self.tie(constant, to);
        }
        Ok(())
    }
}

/// The element that a value is, if it is known.
pub(super) fn known<F: PrimeField>(value: Value<Rational<F>>) -> Option<F> {
    let mut element = None;
    value.map(|value| element = Some(value.evaluate()));
    element
}
