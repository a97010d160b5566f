//! What each cell of a circuit's table stands for.

use std::collections::HashMap;

use halo2curves::ff::PrimeField;

use super::cell::{CellName, Lane, Query};
use super::layout::Layout;
use super::operand::{Constants, Operand, OperandId};

/// Fixed columns, as far as they are not 0.
#[derive(Debug)]
pub(super) struct FixedColumns<F> {
    columns: HashMap<u32, FixedColumn<F>>,
    /// Rows that can be used; what fills a column does not go further.
    usable: u32,
}

#[derive(Debug)]
struct FixedColumn<F> {
    values: Vec<F>,
    /// A value, and the row from which on it fills the column.
    fill: Option<(F, u32)>,
}

impl<F: PrimeField> FixedColumns<F> {
    pub(super) fn new(layout: &Layout<F>, usable: u32) -> Self {
        let mut columns: HashMap<u32, FixedColumn<F>> = HashMap::new();
        let empty = || FixedColumn { values: Vec::new(), fill: None };
        for (cell, value) in &layout.fixed {
            if let Lane::Fixed(column) = cell.lane {
                let values = &mut columns.entry(column).or_insert_with(empty).values;
                if values.len() <= cell.row as usize {
                    values.resize(cell.row as usize + 1, F::ZERO);
                }
                values[cell.row as usize] = *value;
            }
        }
        for (cell, value) in &layout.fills {
            if let Lane::Fixed(column) = cell.lane {
                columns.entry(column).or_insert_with(empty).fill = Some((*value, cell.row));
            }
        }
        Self { columns, usable }
    }

    pub(super) fn value(&self, column: u32, row: u32) -> F {
        let Some(column) = self.columns.get(&column) else { return F::ZERO };
        match column.fill {
            Some((value, from)) if (from..self.usable).contains(&row) => value,
            _ => column.values.get(row as usize).copied().unwrap_or(F::ZERO),
        }
    }
}

/// What each cell of a table stands for.
#[derive(Debug)]
pub(super) struct Cells<'a, F> {
    /// Rows of the table, a power of two.
    pub(super) rows: u32,
    /// Rows that can be used, counted from 0.
    pub(super) usable: u32,
    advice: HashMap<u32, Vec<Option<OperandId>>>,
    fixed: &'a FixedColumns<F>,
    selectors: HashMap<u32, Vec<bool>>,
    constants: &'a Constants<F>,
}

impl<'a, F: PrimeField> Cells<'a, F> {
    /// `cells` says what advice cells stand for, with constants of `constants`.
    pub(super) fn new(
        layout: &Layout<F>,
        rows: u32,
        fixed: &'a FixedColumns<F>,
        cells: &[(CellName, OperandId)],
        constants: &'a Constants<F>,
    ) -> Self {
        let mut advice: HashMap<u32, Vec<Option<OperandId>>> = HashMap::new();
        for (cell, standing) in cells {
            if let Lane::Advice(column) = cell.lane {
                set(advice.entry(column).or_default(), cell.row, Some(*standing));
            }
        }
        let mut selectors: HashMap<u32, Vec<bool>> = HashMap::new();
        for cell in &layout.selectors {
            if let Lane::Selector(selector) = cell.lane {
                set(selectors.entry(selector).or_default(), cell.row, true);
            }
        }
        Self { rows, usable: fixed.usable, advice, fixed, selectors, constants }
    }

    /// What a query of a gate at `row` means.
    pub(super) fn at(&self, query: Query, row: u32) -> Operand<F> {
        self.operand(query.at(row, self.rows)).unwrap_or(Operand::Constant(F::ZERO))
    }

    /// What a cell stands for, unless it is an advice cell that was not assigned.
    pub(super) fn operand(&self, cell: CellName) -> Option<Operand<F>> {
        let row = cell.row as usize;
        match cell.lane {
            Lane::Advice(column) => {
                let standing = self.advice.get(&column)?.get(row).copied().flatten()?;
                Some(self.constants.operand(standing))
            }
            Lane::Fixed(column) => Some(Operand::Constant(self.fixed.value(column, cell.row))),
            Lane::Selector(selector) => {
                let enabled = self.selectors.get(&selector).and_then(|rows| rows.get(row)).copied();
                Some(Operand::Constant(F::from(u64::from(enabled.unwrap_or(false)))))
            }
        }
    }
}

fn set<T: Clone + Default>(column: &mut Vec<T>, row: u32, value: T) {
    let row = row as usize;
    if column.len() <= row {
        column.resize(row + 1, T::default());
    }
    column[row] = value;
}
