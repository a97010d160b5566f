//! Records lookup tables, with the errors of the front end's own table layouter.

use std::collections::BTreeMap;

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{TableLayouter, Value};
use midnight_proofs::plonk::{Error, TableColumn, TableError};
use midnight_proofs::utils::rational::Rational;

use super::super::cell::{CellName, Lane};
use super::super::layout::Layout;
use super::super::synthesis::K_TABLE_SIZE_MAX;
use super::known;

/// The columns of a table that is being filled.
#[derive(Debug)]
pub(super) struct TableRecorder<'a, F> {
    /// Columns of earlier tables.
    filled: &'a [TableColumn],
    columns: BTreeMap<TableColumn, Vec<Option<F>>>,
}

impl<'a, F: PrimeField> TableRecorder<'a, F> {
    pub(super) fn new(filled: &'a [TableColumn]) -> Self {
        Self { filled, columns: BTreeMap::new() }
    }

    /// The columns, which are equally long and without holes.
    pub(super) fn finish(self) -> Result<Vec<(TableColumn, Vec<F>)>, Error> {
        let mut columns: Vec<(TableColumn, Vec<F>)> = Vec::new();
        for (column, values) in self.columns {
            let values: Option<Vec<F>> = values.into_iter().collect();
            let values = values.ok_or(Error::TableError(TableError::ColumnNotAssigned(column)))?;
            if let Some((first, expected)) = columns.first()
                && expected.len() != values.len()
            {
                let lengths = ((*first, expected.len()), (column, values.len()));
                return Err(Error::TableError(TableError::UnevenColumnLengths(lengths.0, lengths.1)));
            }
            columns.push((column, values));
        }
        Ok(columns)
    }
}

impl<F: PrimeField> TableLayouter<F> for TableRecorder<'_, F> {
    fn assign_cell<'v>(
        &'v mut self,
        _: &'v (dyn Fn() -> String + 'v),
        column: TableColumn,
        offset: usize,
        to: &'v mut (dyn FnMut() -> Value<Rational<F>> + 'v),
    ) -> Result<(), Error> {
        if self.filled.contains(&column) {
            return Err(Error::TableError(TableError::UsedColumn(column)));
        }
        // A table this long is in no circuit, and must not be allocated before the rows are counted.
        if offset >= 1 << K_TABLE_SIZE_MAX {
            return Err(Error::BoundsFailure);
        }
        let value =
            known(to()).ok_or_else(|| Error::Synthesis("the value of a table cell is not known".into()))?;
        let values = self.columns.entry(column).or_default();
        if values.len() <= offset {
            values.resize(offset + 1, None);
        }
        if let (0, Some(before)) = (offset, values[0]) {
            let (before, value) = (format!("{before:?}"), format!("{value:?}"));
            return Err(Error::TableError(TableError::OverwriteDefault(column, before, value)));
        }
        values[offset] = Some(value);
        Ok(())
    }
}

impl<F: PrimeField> Layout<F> {
    /// Adds a column of a table, whose first value fills the rows that are left.
    pub(super) fn table(&mut self, column: TableColumn, values: &[F]) {
        let lane = Lane::Fixed(u32::try_from(column.inner().index()).unwrap_or(u32::MAX));
        let mut end = 0;
        for value in values {
            self.fixed.push((CellName { lane, row: end }, *value));
            end += 1;
        }
        self.rows = self.rows.max(u64::from(end));
        self.fills.extend(values.first().map(|value| (CellName { lane, row: end }, *value)));
    }
}
