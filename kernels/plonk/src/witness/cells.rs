//! The advice columns of one circuit on the host.

use std::{
    hint::black_box,
    sync::{Mutex, PoisonError},
};

use halo2_axiom::{
    halo2curves::{bn256::Fr, ff::Field},
    plonk::Assigned,
};
use rayon::prelude::*;

use crate::{
    engine::Engine,
    error::Result,
    secret::{SecretColumn, SecretValues},
    witness::cell::{Cell, fetch, held},
};

/// Rows between a cell that is written and the one that is fetched for it.
const FETCHED_AHEAD: usize = 4;
/// Rows that a thread takes at once.
const CHUNK: usize = 1 << 12;

/// Advice columns of `rows` cells, zero where nothing was assigned. They are overwritten when they are dropped.
pub(crate) struct Cells {
    columns: Vec<Column>,
    /// Values that were assigned to a cell after another value.
    later: Vec<Later>,
    /// A column on its way to the backend.
    values: SecretValues,
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
    fn new(columns: usize, rows: usize) -> Self {
        let column = || Column { cells: (0..rows).map(|_| Cell::default()).collect(), fractions: false };
        Self {
            columns: (0..columns).into_par_iter().map(|_| column()).collect(),
            later: Vec::new(),
            values: SecretValues(vec![Fr::ZERO; rows]),
        }
    }

    /// What columns take on the host, with one more on its way to the backend and the denominators of its fractions.
    pub(crate) fn bytes(columns: usize, rows: usize) -> u64 {
        (rows * (columns * size_of::<Cell>() + 2 * size_of::<Fr>())) as u64
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns.len()
    }

    /// Writes a cell, which is there. The reference lives as long as the front end requires.
    pub(crate) fn assign<'v>(&mut self, column: usize, row: usize, value: Assigned<Fr>) -> &'v Assigned<Fr> {
        let of = &mut self.columns[column];
        of.fractions |= value.denominator().is_some();
        if let Some(next) = of.cells.get(row + FETCHED_AHEAD) {
            fetch(next);
        }
        let cell = &mut of.cells[row];
        // Once a value has followed another one, the last one counts.
        if cell.get().is_none_or(|known| *known == value && self.later.is_empty()) {
            return held(cell.write(value));
        }
        self.later.push(Later { column, row, cell: Box::default() });
        let last = self.later.len() - 1;
        held(self.later[last].cell.write(value))
    }

    /// A column with these values in its last rows. A fraction over zero is zero.
    pub(crate) fn blinded(
        &mut self,
        engine: &Engine<'_>,
        column: usize,
        blinds: &[Fr],
    ) -> Result<SecretColumn> {
        let mut values = std::mem::take(&mut self.values);
        self.read(column, &mut values, |value| value.map_or(Fr::ZERO, Assigned::numerator));
        if self.columns[column].fractions {
            let mut denominators = SecretValues(vec![Fr::ONE; values.len()]);
            self.read(column, &mut denominators, |value| {
                value.and_then(Assigned::denominator).unwrap_or(Fr::ONE)
            });
            let mut inverses = SecretColumn::of(engine.context(), &denominators)?;
            engine.invert(&mut inverses)?;
            engine.context().at_once().read(&inverses, 0, &mut denominators)?;
            values.par_iter_mut().zip(&**denominators).for_each(|(value, inverse)| *value *= inverse);
        }
        let usable = values.len() - blinds.len();
        values[usable..].copy_from_slice(blinds);
        let made = SecretColumn::of(engine.context(), &values);
        self.values = values;
        made
    }

    fn read(&self, column: usize, values: &mut [Fr], part: impl Fn(Option<&Assigned<Fr>>) -> Fr + Sync) {
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

    /// Overwrites all values. No circuit may hold a reference to one any more.
    fn erase(&mut self) {
        let columns = self.columns.par_iter_mut().flat_map(|column| column.cells.par_chunks_mut(CHUNK));
        columns.for_each(|cells| cells.iter_mut().for_each(Cell::erase));
        for later in &mut self.later {
            later.cell.erase();
        }
        self.later.clear();
        self.values.fill(Fr::ZERO);
        for column in &mut self.columns {
            column.fractions = false;
            // Somebody might read them: the compiler may not leave out the zeros.
            black_box(&column.cells);
        }
    }
}

impl Drop for Cells {
    fn drop(&mut self) {
        self.erase();
    }
}

/// The memory of a proof's columns for the next one: fresh memory takes the system longer than all that is done with it.
#[derive(Default)]
pub(crate) struct SpareCells(Mutex<Option<Cells>>);

impl SpareCells {
    /// Columns without values: spare ones, which have to be as many and as long, or else new ones.
    pub(crate) fn take(&self, columns: usize, rows: usize) -> Cells {
        let spare = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        spare.unwrap_or_else(|| Cells::new(columns, rows))
    }

    /// Overwrites the columns and keeps them.
    pub(crate) fn put(&self, mut cells: Cells) {
        cells.erase();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(cells);
    }
}

impl std::fmt::Debug for SpareCells {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("SpareCells")
    }
}
