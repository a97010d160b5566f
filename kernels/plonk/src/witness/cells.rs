//! The advice columns of one circuit on the host.

use std::hint::black_box;

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Assigned,
};
use rayon::prelude::*;
use zkaccel::Context;

use crate::{
    error::Result,
    secret::{SecretColumn, SecretValues},
    witness::cell::{Cell, held},
};

/// Rows that a thread takes at once.
const CHUNK: usize = 1 << 12;

/// Advice columns of `rows` cells, zero where nothing was assigned. They are overwritten when they are dropped.
pub(crate) struct Cells {
    rows: usize,
    columns: Vec<Column>,
    /// Values that were assigned to a cell after another value.
    later: Vec<Later>,
}

struct Column {
    cells: Vec<Cell>,
    /// Whether it has a fraction somewhere.
    fractions: bool,
}

struct Later {
    column: usize,
    row: usize,
    /// It stays where it is when the list grows.
    cell: Box<Cell>,
}

impl Cells {
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        let column = || Column { cells: (0..rows).map(|_| Cell::default()).collect(), fractions: false };
        let columns = (0..columns).into_par_iter().map(|_| column()).collect();
        Self { rows, columns, later: Vec::new() }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Writes a cell, which is there. The reference lives as long as the front end requires.
    pub(crate) fn assign<'v>(&mut self, column: usize, row: usize, value: Assigned<Fr>) -> &'v Assigned<Fr> {
        let of = &mut self.columns[column];
        of.fractions |= value.denominator().is_some();
        let cell = &mut of.cells[row];
        // Once a value has followed another one, the last one counts.
        if cell.get().is_none_or(|known| *known == value && self.later.is_empty()) {
            return held(cell.write(value));
        }
        self.later.push(Later { column, row, cell: Box::default() });
        let last = self.later.len() - 1;
        held(self.later[last].cell.write(value))
    }

    /// Writes the values of a column to `values`, which has as many as there are rows. A fraction over zero is zero.
    pub(crate) fn read(&self, context: &Context, column: usize, values: &mut SecretValues) -> Result<()> {
        self.read_parts(column, values, |value| value.map_or(Fr::ZERO, Assigned::numerator));
        if self.columns[column].fractions {
            let mut denominators = SecretValues(vec![Fr::ONE; self.rows]);
            self.read_parts(column, &mut denominators, |value| {
                value.and_then(Assigned::denominator).unwrap_or(Fr::ONE)
            });
            let mut inverses = SecretColumn::of(context, &denominators)?;
            context.at_once().invert(&mut inverses, ..)?;
            context.at_once().read(&inverses, 0, &mut denominators)?;
            values.par_iter_mut().zip(&**denominators).for_each(|(value, inverse)| *value *= inverse);
        }
        Ok(())
    }

    fn read_parts(
        &self,
        column: usize,
        values: &mut [Fr],
        part: impl Fn(Option<&Assigned<Fr>>) -> Fr + Sync,
    ) {
        let cells = self.columns[column].cells.par_chunks(CHUNK);
        values.par_chunks_mut(CHUNK).zip(cells).for_each(|(values, cells)| {
            for (value, cell) in values.iter_mut().zip(cells) {
                *value = part(cell.get());
            }
        });
        for later in self.later.iter().filter(|later| later.column == column) {
            values[later.row] = part(later.cell.get());
        }
    }
}

impl Drop for Cells {
    fn drop(&mut self) {
        let columns = self.columns.par_iter_mut().flat_map(|column| column.cells.par_chunks_mut(CHUNK));
        columns.for_each(|cells| cells.iter_mut().for_each(Cell::erase));
        self.later.iter_mut().for_each(|later| later.cell.erase());
        // Somebody might read them: the compiler may not leave out the zeros.
        for column in &self.columns {
            black_box(&column.cells);
        }
        black_box(&self.later);
    }
}
