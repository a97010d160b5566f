//! The operations of one proof. Each looks at the proof's cancellation first, and advances its progress.

use std::cell::RefCell;

use halo2_axiom::halo2curves::bn256::{Fr, G1, G1Affine};
use zkaccel::{Bases, Buffer, Context, Domain, PermuteOrder, Program, Queue, Transform};

use crate::{
    cancellation::{CancellableStream, Cancellation},
    cost,
    error::Result,
    stage::{Clock, Stage},
};

/// Calls on so many elements or more are cancelled while they are under way; shorter ones are done before anybody waits.
const LONG: usize = 1 << 15;

/// Where a proof computes.
pub(crate) struct Engine<'a> {
    context: &'a Context,
    cancellation: Cancellation,
    clock: RefCell<Clock<'a>>,
    stream: RefCell<Option<CancellableStream>>,
}

impl<'a> Engine<'a> {
    pub(crate) fn new(context: &'a Context, clock: Clock<'a>) -> Self {
        let cancellation = clock.cancellation();
        Self { context, cancellation, clock: RefCell::new(clock), stream: RefCell::new(None) }
    }

    pub(crate) fn context(&self) -> &'a Context {
        self.context
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.cancellation
    }

    pub(crate) fn end(&self, stage: Stage) -> Result<()> {
        self.clock.borrow_mut().end(stage);
        self.cancellation.check()
    }

    /// Work of such a cost was done.
    pub(crate) fn advance(&self, cost: f64) {
        self.clock.borrow_mut().advance(cost);
    }

    fn call<'env>(
        &self,
        elements: usize,
        cost: f64,
        work: impl FnOnce(&Queue<'env>) -> zkaccel::Result<()>,
    ) -> Result<()> {
        self.cancellation.check()?;
        if elements < LONG {
            work(&self.context.at_once())?;
        } else {
            let mut stream = self.stream.borrow_mut();
            let stream = match &mut *stream {
                Some(stream) => stream,
                none => none.insert(CancellableStream::new(self.context, &self.cancellation)?),
            };
            stream.call(work)?;
        }
        self.advance(cost);
        Ok(())
    }

    /// The sum of each of as many columns as there are sums.
    pub(crate) fn msm(&self, bases: &Bases<G1Affine>, columns: &Buffer<Fr>, sums: &mut [G1]) -> Result<()> {
        let (n, count) = (bases.len(), sums.len());
        self.call(n * count, cost::commit(n, count), |queue| queue.msm(bases, 0, columns, 0, n, sums))
    }

    pub(crate) fn ntt(
        &self,
        domain: &Domain,
        columns: &mut [&mut Buffer<Fr>],
        transform: Transform,
    ) -> Result<()> {
        let (n, count) = (1 << domain.k(), columns.len());
        if columns.is_empty() {
            return Ok(());
        }
        self.call(n * count, cost::ntt(n, count), |queue| queue.ntt(domain, columns, transform))
    }

    pub(crate) fn run(
        &self,
        program: &Program<Fr>,
        instructions: usize,
        columns: &[&Buffer<Fr>],
        scalars: &[Fr],
        out: &mut Buffer<Fr>,
    ) -> Result<()> {
        let n = out.len();
        self.call(n * instructions, cost::run(n, instructions), |queue| {
            queue.run(program, columns, scalars, 1, n, out)
        })
    }

    /// A' and S' of an input and a table.
    pub(crate) fn permute(
        &self,
        [input, table]: [&Buffer<Fr>; 2],
        usable: usize,
        [a, s]: [&mut Buffer<Fr>; 2],
    ) -> Result<()> {
        self.call(a.len(), cost::permute(a.len()), |queue| {
            queue.permute(input, table, usable, PermuteOrder::FirstMeets, a, s)
        })
    }

    pub(crate) fn grand_product(
        &self,
        [numerator, denominator]: [&Buffer<Fr>; 2],
        start: Fr,
        usable: usize,
        product: &mut Buffer<Fr>,
    ) -> Result<()> {
        self.call(product.len(), cost::product(product.len()), |queue| {
            queue.grand_product(numerator, denominator, start, usable, product)
        })
    }

    pub(crate) fn invert(&self, column: &mut Buffer<Fr>) -> Result<()> {
        self.call(column.len(), 0.0, |queue| queue.invert(column, ..))
    }

    pub(crate) fn fold(
        &self,
        polys: &[&Buffer<Fr>],
        factor: Fr,
        low: Option<&[&[Fr]]>,
        out: &mut Buffer<Fr>,
    ) -> Result<()> {
        let n = out.len();
        self.call(n * polys.len(), cost::fold(n, polys.len()), |queue| queue.fold(polys, factor, low, out))
    }

    pub(crate) fn divide_exactly(&self, poly: &mut Buffer<Fr>, roots: &[Fr]) -> Result<()> {
        let n = poly.len();
        self.call(n * roots.len(), cost::divide(n, roots.len()), |queue| queue.divide_exactly(poly, n, roots))
    }

    pub(crate) fn scale_add(&self, factor: Fr, from: &Buffer<Fr>, out: &mut Buffer<Fr>) -> Result<()> {
        self.call(out.len(), cost::scale(out.len()), |queue| queue.scale_add(factor, from, None, out))
    }

    pub(crate) fn scale_add_to(
        &self,
        factor: Fr,
        column: &mut Buffer<Fr>,
        added: Option<&Buffer<Fr>>,
    ) -> Result<()> {
        self.call(column.len(), cost::scale(column.len()), |queue| queue.scale_add_to(factor, column, added))
    }

    pub(crate) fn evaluate(&self, polys: &[&Buffer<Fr>], point: Fr, values: &mut [Fr]) -> Result<()> {
        let n = polys.first().map_or(0, |poly| poly.len());
        self.call(n * polys.len(), cost::evaluate(n, polys.len()), |queue| {
            queue.evaluate(polys, &[point], values)
        })
    }
}
