//! Where a circuit's cells are: what set-up records.

use super::cell::CellName;
use super::digest::LayoutDigest;

/// The layout of a step circuit. Rows are those of the table.
#[derive(Clone, Debug)]
pub(super) struct Layout<F> {
    /// Regions in the order in which they were laid out.
    pub(super) regions: Vec<RegionRecord>,
    /// Advice cells in the order in which they were assigned; one that was assigned twice is here twice.
    pub(super) advice: Vec<CellName>,
    /// Fixed cells in the order in which they were assigned, and those that hold global constants.
    pub(super) fixed: Vec<(CellName, F)>,
    /// Values of fixed cells and of global constants in the order in which the circuit gave them.
    pub(super) given: Vec<F>,
    /// Rows at which selectors are enabled.
    pub(super) selectors: Vec<CellName>,
    /// Cells that are tied together.
    pub(super) copies: Vec<(CellName, CellName)>,
    /// Fixed columns that hold one value from a row on, as far as rows can be used.
    pub(super) fills: Vec<(CellName, F)>,
    /// Rows up to the last that is in use.
    pub(super) rows: u64,
}

/// A region of a layout.
#[derive(Clone, Debug)]
pub(super) struct RegionRecord {
    pub(super) name: String,
    /// Its first row.
    pub(super) start: u32,
    /// Digest of the layout up to its end.
    pub(super) digest: LayoutDigest,
}

impl<F> Default for Layout<F> {
    fn default() -> Self {
        Self {
            regions: Vec::new(),
            advice: Vec::new(),
            fixed: Vec::new(),
            given: Vec::new(),
            selectors: Vec::new(),
            copies: Vec::new(),
            fills: Vec::new(),
            rows: 0,
        }
    }
}
