//! Names of cells, as reports give them.

use std::fmt;

/// A column of a circuit's table, or one of its selectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// The advice column of this index.
    Advice(u32),
    /// The fixed column of this index.
    Fixed(u32),
    /// The selector of this index.
    Selector(u32),
}

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Advice(index) => write!(f, "advice column {index}"),
            Self::Fixed(index) => write!(f, "fixed column {index}"),
            Self::Selector(index) => write!(f, "selector {index}"),
        }
    }
}

/// A cell of a circuit's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CellName {
    /// Its column.
    pub lane: Lane,
    /// Its row, counted from 0.
    pub row: u32,
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, row {}", self.lane, self.row)
    }
}

/// A cell relative to the row of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Query {
    /// The cell's column.
    pub lane: Lane,
    /// How many rows below the gate's row the cell is.
    pub rotation: i32,
}

impl Query {
    /// The cell that is meant at `row` of a table of `table_rows` rows, whose last is followed by its first.
    pub fn at(self, row: u32, table_rows: u32) -> CellName {
        let row = (i64::from(row) + i64::from(self.rotation)).rem_euclid(i64::from(table_rows));
        CellName { lane: self.lane, row: u32::try_from(row).expect("a remainder is below its modulus") }
    }
}
