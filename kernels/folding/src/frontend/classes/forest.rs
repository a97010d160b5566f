//! Disjoint sets of cells.

use std::collections::HashMap;

use super::super::cell::{CellName, Lane};
use super::super::error::Error;

/// Cells in disjoint sets. Cells are numbered in the order in which they were met.
#[derive(Debug)]
pub(super) struct Forest {
    cells: Vec<CellName>,
    parents: Vec<u32>,
    /// By lane and row, the number of a cell, or `NONE`.
    numbers: HashMap<Lane, Vec<u32>>,
}

const NONE: u32 = u32::MAX;

impl Forest {
    pub(super) fn new() -> Self {
        Self { cells: Vec::new(), parents: Vec::new(), numbers: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn cells(&self) -> &[CellName] {
        &self.cells
    }

    /// The number of a cell.
    pub(super) fn node(&mut self, cell: CellName) -> Result<u32, Error> {
        let numbers = self.numbers.entry(cell.lane).or_default();
        let row = cell.row as usize;
        if numbers.len() <= row {
            numbers.resize(row + 1, NONE);
        }
        if numbers[row] == NONE {
            let number = u32::try_from(self.cells.len()).ok().filter(|number| number.leading_zeros() > 0);
            numbers[row] = number.ok_or(Error::TooManyCells)?;
            self.cells.push(cell);
            self.parents.push(numbers[row]);
        }
        Ok(numbers[row])
    }

    /// Makes one set of two. The root is the cell that was met first.
    pub(super) fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        self.parents[left.max(right) as usize] = left.min(right);
    }

    fn root(&mut self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            let grandparent = self.parents[self.parents[node as usize] as usize];
            self.parents[node as usize] = grandparent;
            node = grandparent;
        }
        node
    }

    /// The root of each cell.
    pub(super) fn roots(&mut self) -> Vec<u32> {
        // A parent was met before its child, so that its own root is known when the child's turn comes.
        let mut roots: Vec<u32> = Vec::with_capacity(self.parents.len());
        for (node, parent) in (0..).zip(&self.parents) {
            roots.push(if *parent == node { node } else { roots[*parent as usize] });
        }
        roots
    }
}
