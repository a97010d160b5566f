//! A region whose first row is not known yet.

use std::collections::BTreeSet;

use midnight_proofs::circuit::Cell;

use super::super::cell::{CellName, Lane};
use super::super::layout::Layout;

/// What was assigned in a region so far. Rows are counted from its first.
#[derive(Debug)]
pub(super) struct OpenRegion<F> {
    lanes: BTreeSet<Lane>,
    advice: Vec<CellName>,
    fixed: Vec<(CellName, F)>,
    selectors: Vec<CellName>,
    pub(super) copies: Vec<(Cell, Cell)>,
    pub(super) constants: Vec<(F, Cell)>,
    /// A fixed column of which a cell was given no value.
    pub(super) unknown: Option<u32>,
    /// Rows up to the last that is in use.
    pub(super) rows: u32,
}

impl<F> Default for OpenRegion<F> {
    fn default() -> Self {
        Self {
            lanes: BTreeSet::new(),
            advice: Vec::new(),
            fixed: Vec::new(),
            selectors: Vec::new(),
            copies: Vec::new(),
            constants: Vec::new(),
            unknown: None,
            rows: 0,
        }
    }
}

impl<F: Copy> OpenRegion<F> {
    fn occupy(&mut self, lane: Lane, offset: u32) -> CellName {
        self.lanes.insert(lane);
        self.rows = self.rows.max(offset.saturating_add(1));
        CellName { lane, row: offset }
    }

    pub(super) fn lanes(&self) -> impl Iterator<Item = Lane> + '_ {
        self.lanes.iter().copied()
    }

    pub(super) fn advice(&mut self, column: u32, offset: u32) {
        let cell = self.occupy(Lane::Advice(column), offset);
        self.advice.push(cell);
    }

    pub(super) fn fixed(&mut self, column: u32, offset: u32, value: F) {
        let cell = self.occupy(Lane::Fixed(column), offset);
        self.fixed.push((cell, value));
    }

    pub(super) fn selector(&mut self, selector: u32, offset: u32) {
        let cell = self.occupy(Lane::Selector(selector), offset);
        self.selectors.push(cell);
    }

    /// Adds the region's cells to a layout in which it starts at a row.
    pub(super) fn place(&self, start: u32, layout: &mut Layout<F>) {
        let placed = |cell: &CellName| CellName { lane: cell.lane, row: start + cell.row };
        layout.advice.extend(self.advice.iter().map(placed));
        layout.fixed.extend(self.fixed.iter().map(|(cell, value)| (placed(cell), *value)));
        layout.selectors.extend(self.selectors.iter().map(placed));
    }
}
