//! The meaning of each cell of a circuit's table.

use halo2curves::ff::PrimeField;

use super::cell::{CellName, Lane, Query};
use super::layout::Layout;
use super::operand::{Constants, Operand, OperandId};

/// Fixed columns, as far as they are not 0.
#[derive(Debug)]
pub(super) struct FixedColumns<F> {
    columns: Vec<FixedColumn<F>>,
    /// Rows that can be used; what fills a column does not go further.
    usable: u32,
}

#[derive(Clone, Debug, Default)]
struct FixedColumn<F> {
    values: Vec<F>,
    /// A value, and the row from which on it fills the column.
    fill: Option<(F, u32)>,
}

impl<F: PrimeField> FixedColumns<F> {
    pub(super) fn new(layout: &Layout<F>, usable: u32) -> Self {
        let mut columns: Vec<FixedColumn<F>> = Vec::new();
        for (cell, value) in &layout.fixed {
            if let Lane::Fixed(column) = cell.lane {
                *reach(&mut reach(&mut columns, column).values, cell.row) = *value;
            }
        }
        for (cell, value) in &layout.fills {
            if let Lane::Fixed(column) = cell.lane {
                reach(&mut columns, column).fill = Some((*value, cell.row));
            }
        }
        Self { columns, usable }
    }

    pub(super) fn value(&self, column: u32, row: u32) -> F {
        let Some(column) = self.columns.get(column as usize) else { return F::ZERO };
        match column.fill {
            Some((value, from)) if (from..self.usable).contains(&row) => value,
            _ => column.values.get(row as usize).copied().unwrap_or(F::ZERO),
        }
    }
}

/// The meaning of each cell of a table.
#[derive(Debug)]
pub(super) struct Cells<'a, F> {
    /// Rows of the table, a power of two.
    pub(super) rows: u32,
    /// Rows that can be used, counted from 0.
    pub(super) usable: u32,
    advice: Vec<Vec<Option<OperandId>>>,
    fixed: &'a FixedColumns<F>,
    selectors: Vec<Vec<bool>>,
    constants: &'a Constants<F>,
}

impl<'a, F: PrimeField> Cells<'a, F> {
    /// `cells` has the meaning of advice cells, with constants of `constants`.
    pub(super) fn new(
        layout: &Layout<F>,
        rows: u32,
        fixed: &'a FixedColumns<F>,
        cells: &[(CellName, OperandId)],
        constants: &'a Constants<F>,
    ) -> Self {
        let mut advice: Vec<Vec<Option<OperandId>>> = Vec::new();
        for (cell, standing) in cells {
            if let Lane::Advice(column) = cell.lane {
                *reach(reach(&mut advice, column), cell.row) = Some(*standing);
            }
        }
        let mut selectors: Vec<Vec<bool>> = Vec::new();
        for cell in &layout.selectors {
            if let Lane::Selector(selector) = cell.lane {
                *reach(reach(&mut selectors, selector), cell.row) = true;
            }
        }
        Self { rows, usable: fixed.usable, advice, fixed, selectors, constants }
    }

    /// What a query of a gate at `row` means.
    pub(super) fn at(&self, query: Query, row: u32) -> Operand<F> {
        self.operand(query.at(row, self.rows)).unwrap_or(Operand::Constant(F::ZERO))
    }

    /// The meaning of a cell, unless it is an advice cell that was not assigned.
    pub(super) fn operand(&self, cell: CellName) -> Option<Operand<F>> {
        let row = cell.row as usize;
        match cell.lane {
            Lane::Advice(column) => {
                let standing = self.advice.get(column as usize)?.get(row).copied().flatten()?;
                Some(self.constants.operand(standing))
            }
            Lane::Fixed(column) => Some(Operand::Constant(self.fixed.value(column, cell.row))),
            Lane::Selector(selector) => {
                let enabled = self.selectors.get(selector as usize).and_then(|rows| rows.get(row)).copied();
                Some(Operand::Constant(F::from(u64::from(enabled.unwrap_or(false)))))
            }
        }
    }
}

/// The element of this index, which is added if the vector does not reach so far.
fn reach<T: Clone + Default>(elements: &mut Vec<T>, index: u32) -> &mut T {
    let index = index as usize;
    if elements.len() <= index {
        elements.resize(index + 1, T::default());
    }
    &mut elements[index]
}
