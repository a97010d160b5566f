//! The layouter that step circuits are given: it hands what they assign to a recorder, or to a writer of witnesses.

mod region;

use std::fmt::Debug;
use std::marker::PhantomData;

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::layouter::RegionLayouter;
use midnight_proofs::circuit::{AssignedCell, Cell, Layouter, Region, RegionIndex, Table, Value};
use midnight_proofs::plonk::{self, Any, Challenge, Column, Instance};
use midnight_proofs::utils::rational::Rational;

use super::cell::Lane;
use super::digest::LayoutDigest;
use region::StepRegion;

/// What is done with the assignments of a circuit. Offsets are rows below the open region's first.
pub(super) trait Assignments<F: PrimeField>: Debug {
    /// A region starts, whose index counts regions from 0.
    fn enter_region(&mut self) -> Result<(), plonk::Error>;
    /// The open region ends. `digest` is that of the layout so far.
    fn exit_region(&mut self, name: &dyn Fn() -> String, digest: LayoutDigest) -> Result<(), plonk::Error>;
    /// An advice cell is assigned, a second time perhaps: then the later value holds.
    fn advice(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error>;
    /// A fixed cell is assigned.
    fn fixed(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error>;
    /// A selector is enabled.
    fn selector(&mut self, selector: u32, offset: u32) -> Result<(), plonk::Error>;
    /// A cell is tied to a constant.
    fn constant(&mut self, cell: Cell, constant: Rational<F>) -> Result<(), plonk::Error>;
    /// Two cells are tied together.
    fn copy(&mut self, left: Cell, right: Cell) -> Result<(), plonk::Error>;
    /// A table is filled by `assignment`, which need not be called.
    fn table(&mut self, assignment: Fill<'_, F>) -> Result<(), plonk::Error>;
}

/// Gives the value of a cell; called at most once.
pub(super) type ToValue<'a, F> = &'a mut dyn FnMut() -> Value<Rational<F>>;

/// Fills a table.
pub(super) type Fill<'a, F> = &'a mut dyn FnMut(Table<'_, F>) -> Result<(), plonk::Error>;

/// A layouter over [`Assignments`].
#[derive(Debug)]
pub(super) struct StepLayouter<F, S> {
    pub(super) assignments: S,
    pub(super) digest: LayoutDigest,
    regions: usize,
    field: PhantomData<F>,
}

impl<F: PrimeField, S: Assignments<F>> StepLayouter<F, S> {
    pub(super) fn new(assignments: S) -> Self {
        Self { assignments, digest: LayoutDigest::default(), regions: 0, field: PhantomData }
    }

    /// Takes note of which cells are the step's outputs.
    pub(super) fn outputs(&mut self, outputs: &[AssignedCell<F, F>]) {
        for output in outputs {
            self.digest.output(output.cell());
        }
    }
}

impl<F: PrimeField, S: Assignments<F>> Layouter<F> for StepLayouter<F, S> {
    type Root = Self;

    fn assign_region<A, AR, N, NR>(&mut self, name: N, mut assignment: A) -> Result<AR, plonk::Error>
    where
        A: FnMut(Region<'_, F>) -> Result<AR, plonk::Error>,
        N: Fn() -> NR,
        NR: Into<String>,
    {
        let index = RegionIndex::from(self.regions);
        self.regions += 1;
        self.digest.region();
        self.assignments.enter_region()?;
        let mut region = StepRegion::new(&mut self.assignments, &mut self.digest, index);
        let region: &mut dyn RegionLayouter<F> = &mut region;
        let result = assignment(region.into());
        // A region that failed ends too, so that a circuit that continues finds the layouter consistent.
        self.assignments.exit_region(&|| name().into(), self.digest)?;
        result
    }

    fn assign_table<A, N, NR>(&mut self, _: N, mut assignment: A) -> Result<(), plonk::Error>
    where
        A: FnMut(Table<'_, F>) -> Result<(), plonk::Error>,
        N: Fn() -> NR,
        NR: Into<String>,
    {
        self.digest.table();
        self.assignments.table(&mut |table| assignment(table))
    }

    fn constrain_instance(&mut self, _: Cell, _: Column<Instance>, _: usize) -> Result<(), plonk::Error> {
        refuse_instance()
    }

    fn get_challenge(&self, _: Challenge) -> Value<F> {
        Value::unknown()
    }

    fn get_root(&mut self) -> &mut Self {
        self
    }

    fn push_namespace<NR, N>(&mut self, _: N)
    where
        NR: Into<String>,
        N: FnOnce() -> NR,
    {
    }

    fn pop_namespace(&mut self, _: Option<String>) {}
}

/// The name of a column that is not an instance column.
///
/// # Panics
///
/// On an instance column, as the documentation of step circuits says.
pub(super) fn lane(column: Column<Any>) -> Lane {
    // Columns are numbered one by one by the constraint system: none comes near 2^32.
    let index = u32::try_from(column.index()).unwrap_or(u32::MAX);
    match column.column_type() {
        Any::Advice(_) => Lane::Advice(index),
        Any::Fixed => Lane::Fixed(index),
        Any::Instance => refuse_instance(),
    }
}

/// Aborts, as the documentation of step circuits says.
pub(super) fn refuse_instance() -> ! {
    panic!("instance columns cannot be used in a step circuit")
}
