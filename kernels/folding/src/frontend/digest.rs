//! A running digest of a layout.

use midnight_proofs::circuit::Cell;

use super::cell::Lane;
use super::layouter::lane;

/// A hash of the calls that lay a circuit out, without the values that are assigned.
///
/// It finds circuits whose layout depends on input. It protects from mistakes and not from malice: what binds a proof
/// is the relation, which is fixed at set-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LayoutDigest(u64);

#[derive(Clone, Copy)]
#[repr(u64)]
enum Call {
    Region = 1,
    Table,
    Advice,
    Fixed,
    Selector,
    Copy,
    Constant,
    Output,
}

impl LayoutDigest {
    fn absorb(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn call(&mut self, call: Call, index: u32, offset: u32) {
        self.absorb(((call as u64) << 60) ^ (u64::from(index) << 32) ^ u64::from(offset));
    }

    fn cell(&mut self, call: Call, cell: Cell) {
        let (kind, index) = match lane(cell.column) {
            Lane::Advice(index) => (0, index),
            Lane::Fixed(index) => (1, index),
            Lane::Selector(index) => (2, index),
        };
        self.absorb(((call as u64) << 60) ^ (kind << 56) ^ u64::from(index));
        self.absorb(((*cell.region_index as u64) << 32) ^ cell.row_offset as u64);
    }

    pub(super) fn region(&mut self) {
        self.call(Call::Region, 0, 0);
    }

    pub(super) fn table(&mut self) {
        self.call(Call::Table, 0, 0);
    }

    pub(super) fn advice(&mut self, column: u32, offset: u32) {
        self.call(Call::Advice, column, offset);
    }

    pub(super) fn fixed(&mut self, column: u32, offset: u32) {
        self.call(Call::Fixed, column, offset);
    }

    pub(super) fn selector(&mut self, selector: u32, offset: u32) {
        self.call(Call::Selector, selector, offset);
    }

    pub(super) fn copy(&mut self, left: Cell, right: Cell) {
        self.cell(Call::Copy, left);
        self.cell(Call::Copy, right);
    }

    pub(super) fn constant(&mut self, cell: Cell) {
        self.cell(Call::Constant, cell);
    }

    pub(super) fn output(&mut self, cell: Cell) {
        self.cell(Call::Output, cell);
    }
}
