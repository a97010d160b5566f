//! What each call of a circuit's layout means for the values of a step.

use super::cell::CellName;
use super::classes::{Classes, Target};
use super::digest::LayoutDigest;
use super::layout::{Layout, RegionRecord};
use super::operand::Constants;

/// The calls that lay a circuit out, in their order, with what each does to the witness.
#[derive(Clone, Debug)]
pub(super) struct Tape<F> {
    /// For each assignment of an advice cell, what is done with its value.
    pub(super) targets: Vec<Target>,
    /// For each assignment of an advice cell, the cell.
    pub(super) cells: Vec<CellName>,
    /// Values of fixed cells and of global constants.
    pub(super) given: Vec<F>,
    pub(super) regions: Vec<RegionRecord>,
    /// Digest of the layout with the step's outputs.
    pub(super) digest: LayoutDigest,
    /// The constants that cells are compared with.
    pub(super) constants: Constants<F>,
    pub(super) variables: u32,
}

impl<F> Tape<F> {
    pub(super) fn new(layout: Layout<F>, classes: Classes<F>, digest: LayoutDigest) -> Self {
        Self {
            targets: classes.targets,
            cells: layout.advice,
            given: layout.given,
            regions: layout.regions,
            digest,
            constants: classes.constants,
            variables: classes.variables,
        }
    }
}
