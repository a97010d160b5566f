//! A region of the layouter that step circuits are given.

use std::fmt;

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::layouter::RegionLayouter;
use midnight_proofs::circuit::{Cell, RegionIndex, Value};
use midnight_proofs::plonk::{Advice, Any, Column, Error, Fixed, Instance, Selector};
use midnight_proofs::utils::rational::Rational;

use super::super::digest::LayoutDigest;
use super::{Assignments, refuse_instance};

pub(super) struct StepRegion<'a, S> {
    assignments: &'a mut S,
    digest: &'a mut LayoutDigest,
    index: RegionIndex,
}

impl<'a, S> StepRegion<'a, S> {
    pub(super) fn new(assignments: &'a mut S, digest: &'a mut LayoutDigest, index: RegionIndex) -> Self {
        Self { assignments, digest, index }
    }

    fn cell(&self, column: Column<Any>, offset: usize) -> Cell {
        Cell { region_index: self.index, row_offset: offset, column }
    }
}

impl<S> fmt::Debug for StepRegion<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StepRegion").field("index", &self.index).finish_non_exhaustive()
    }
}

type Annotation<'v> = &'v (dyn Fn() -> String + 'v);

/// An index or an offset in four bytes. What does not fit is in no table.
fn narrow(number: usize) -> Result<u32, Error> {
    u32::try_from(number).map_err(|_| Error::BoundsFailure)
}

impl<F: PrimeField, S: Assignments<F>> RegionLayouter<F> for StepRegion<'_, S> {
    fn enable_selector<'v>(
        &'v mut self,
        _: Annotation<'v>,
        selector: &Selector,
        offset: usize,
    ) -> Result<(), Error> {
        let (selector, offset) = (narrow(selector.index())?, narrow(offset)?);
        self.digest.selector(selector, offset);
        self.assignments.selector(selector, offset)
    }

    fn name_column<'v>(&'v mut self, _: Annotation<'v>, _: Column<Any>) {}

    fn assign_advice<'v>(
        &'v mut self,
        _: Annotation<'v>,
        column: Column<Advice>,
        offset: usize,
        to: &'v mut (dyn FnMut() -> Value<Rational<F>> + 'v),
    ) -> Result<Cell, Error> {
        let (index, row) = (narrow(column.index())?, narrow(offset)?);
        self.digest.advice(index, row);
        self.assignments.advice(index, row, to)?;
        Ok(self.cell(column.into(), offset))
    }

    fn assign_advice_from_constant<'v>(
        &'v mut self,
        annotation: Annotation<'v>,
        column: Column<Advice>,
        offset: usize,
        constant: Rational<F>,
    ) -> Result<Cell, Error> {
        let cell = self.assign_advice(annotation, column, offset, &mut || Value::known(constant))?;
        self.constrain_constant(cell, constant)?;
        Ok(cell)
    }

    fn assign_advice_from_instance<'v>(
        &mut self,
        _: Annotation<'v>,
        _: Column<Instance>,
        _: usize,
        _: Column<Advice>,
        _: usize,
    ) -> Result<(Cell, Value<F>), Error> {
        refuse_instance()
    }

    fn instance_value(&mut self, _: Column<Instance>, _: usize) -> Result<Value<F>, Error> {
        refuse_instance()
    }

    fn assign_fixed<'v>(
        &'v mut self,
        _: Annotation<'v>,
        column: Column<Fixed>,
        offset: usize,
        to: &'v mut (dyn FnMut() -> Value<Rational<F>> + 'v),
    ) -> Result<Cell, Error> {
        let (index, row) = (narrow(column.index())?, narrow(offset)?);
        self.digest.fixed(index, row);
        self.assignments.fixed(index, row, to)?;
        Ok(self.cell(column.into(), offset))
    }

    fn constrain_constant(&mut self, cell: Cell, constant: Rational<F>) -> Result<(), Error> {
        self.digest.constant(cell);
        self.assignments.constant(cell, constant)
    }

    fn constrain_equal(&mut self, left: Cell, right: Cell) -> Result<(), Error> {
        self.digest.copy(left, right);
        self.assignments.copy(left, right)
    }
}
