//! Records the layout of a circuit, and places its regions as it goes.

mod region;
mod table;

use std::collections::{HashMap, HashSet};

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{Cell, Table, Value};
use midnight_proofs::plonk::{self, ConstraintSystem, TableColumn};
use midnight_proofs::utils::rational::Rational;

use super::cell::{CellName, Lane};
use super::digest::LayoutDigest;
use super::error::Error;
use super::layout::{Layout, RegionRecord};
use super::layouter::{Assignments, Fill, ToValue, lane};
use region::OpenRegion;
use table::TableRecorder;

/// Records a layout.
///
/// A region is placed when it ends, at the first row from which on none of its columns is in use, and global constants
/// go to the first column enabled for them: the rows are those of the front end's own single-pass layouter.
#[derive(Debug)]
pub(super) struct Recorder<F: PrimeField> {
    /// Whether values of advice cells are asked for, so that the circuit can compute with them.
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

    /// The layout, unless something failed that is more than the circuit was told.
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

    fn fail(&mut self, error: Error) -> plonk::Error {
        let told = plonk::Error::Synthesis(error.to_string());
        self.failure.get_or_insert(error);
        told
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

    /// Puts the open region's global constants into cells of their own.
    fn place_constants(&mut self, constants: Vec<(F, Cell)>) -> Result<(), plonk::Error> {
        let Some(column) = self.constants else {
            return if constants.is_empty() {
                Ok(())
            } else {
                Err(plonk::Error::NotEnoughColumnsForConstants)
            };
        };
        for (value, cell) in constants {
            let to = self.name(cell).ok_or(plonk::Error::BoundsFailure)?;
            let row = self.first_free.entry(Lane::Fixed(column)).or_default();
            let constant = CellName { lane: Lane::Fixed(column), row: *row };
            *row += 1;
            self.layout.rows = self.layout.rows.max(u64::from(*row));
            self.layout.fixed.push((constant, value));
            self.layout.copies.push((constant, to));
        }
        Ok(())
    }
}

impl<F: PrimeField> Assignments<F> for Recorder<F> {
    fn enter_region(&mut self) -> Result<(), plonk::Error> {
        self.open = OpenRegion::default();
        Ok(())
    }

    fn exit_region(&mut self, name: &dyn Fn() -> String, digest: LayoutDigest) -> Result<(), plonk::Error> {
        let open = std::mem::take(&mut self.open);
        let start = open.lanes().filter_map(|lane| self.first_free.get(&lane)).max().copied().unwrap_or(0);
        let Some(end) = start.checked_add(open.rows).filter(|end| end.leading_zeros() > 0) else {
            let rows = u64::from(start) + u64::from(open.rows);
            return Err(self.fail(Error::TooManyRows { rows, k_table_size: 31, needed: 32 }));
        };
        for lane in open.lanes() {
            self.first_free.insert(lane, end);
        }
        self.layout.rows = self.layout.rows.max(u64::from(end));
        let name = name();
        if let Some(column) = open.unknown {
            self.failure.get_or_insert(Error::FixedUnknown { column, region: name.clone() });
        }
        self.layout.regions.push(RegionRecord { name, start, digest });
        open.place(start, &mut self.layout);
        for (left, right) in open.copies {
            let (left, right) = (self.name(left), self.name(right));
            self.layout.copies.push(left.zip(right).ok_or(plonk::Error::BoundsFailure)?);
        }
        self.place_constants(open.constants)
    }

    fn advice(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error> {
        self.open.advice(column, offset);
        if self.evaluate {
            to();
        }
        Ok(())
    }

    fn fixed(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error> {
        let Some(value) = known(to()) else {
            self.open.unknown = Some(column);
            return Err(plonk::Error::Synthesis("the value of a fixed cell is not known".into()));
        };
        self.layout.given.push(value);
        self.open.fixed(column, offset, value);
        Ok(())
    }

    fn selector(&mut self, selector: u32, offset: u32) -> Result<(), plonk::Error> {
        self.open.selector(selector, offset);
        Ok(())
    }

    fn constant(&mut self, cell: Cell, constant: Rational<F>) -> Result<(), plonk::Error> {
        self.expect_equality(cell)?;
        let constant = constant.evaluate();
        self.layout.given.push(constant);
        self.open.constants.push((constant, cell));
        Ok(())
    }

    fn copy(&mut self, left: Cell, right: Cell) -> Result<(), plonk::Error> {
        self.expect_equality(left)?;
        self.expect_equality(right)?;
        self.open.copies.push((left, right));
        Ok(())
    }

    fn table(&mut self, assignment: Fill<'_, F>) -> Result<(), plonk::Error> {
        let mut table = TableRecorder::new(&self.filled);
        assignment(Table::from(&mut table as &mut dyn midnight_proofs::circuit::TableLayouter<F>))?;
        let columns = table.finish()?;
        for (column, values) in columns {
            self.filled.push(column);
            self.layout.table(column, &values);
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
