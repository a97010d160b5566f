//! What single operations take and cost.

use halo2_axiom::halo2curves::bn256::{Fr, G1};
use zkaccel::Bytes;

use crate::{
    cost,
    error::Result,
    plan::{Ledger, walk::Walk},
    program::{Compiled, Source},
};

impl Walk<'_> {
    /// The value of a program over the rows, and columns of the key that it reads and that are not held by values.
    pub(super) fn run_over_rows(&self, ledger: &mut Ledger, program: &Compiled) -> Result<()> {
        let made = if self.strategy.values {
            0
        } else {
            program.columns().iter().filter(|source| source.is_of_key()).count()
        };
        self.take(ledger, 1 + made);
        self.ntt(ledger, made)?;
        self.run(ledger, program)?;
        self.release(ledger, made);
        Ok(())
    }

    pub(super) fn run(&self, ledger: &mut Ledger, program: &Compiled) -> Result<()> {
        let scratch = program.bytes(self.shape.rows)?;
        ledger.scratch(scratch, scratch);
        ledger.cost(cost::run(self.shape.rows, program.instructions()));
        Ok(())
    }

    pub(super) fn commit(&self, ledger: &mut Ledger, columns: usize) -> Result<()> {
        let n = self.shape.rows;
        let at_once = self.strategy.staged.min(columns);
        let staged = if at_once > 1 { self.device.column(at_once * n) } else { Bytes::default() };
        ledger.take(staged);
        let last = columns.checked_rem(at_once).unwrap_or(0);
        for batch in [at_once, last] {
            let wanted = self.device.bases.msm_bytes(n, batch)?;
            let least = if batch == 0 { wanted } else { self.device.msm_least.unwrap_or(wanted) };
            ledger.scratch(wanted, least);
        }
        ledger.release(staged);
        self.small(ledger, columns * size_of::<G1>() / size_of::<Fr>());
        ledger.cost(cost::commit(n, columns));
        Ok(())
    }

    pub(super) fn ntt(&self, ledger: &mut Ledger, columns: usize) -> Result<()> {
        if columns != 0 {
            let scratch = self.device.domain.ntt_bytes(self.shape.rows)?;
            ledger.scratch(scratch, scratch);
            ledger.cost(cost::ntt(self.shape.rows, columns));
        }
        Ok(())
    }

    pub(super) fn fold(&self, ledger: &mut Ledger, polys: usize) {
        self.small(ledger, polys);
        ledger.cost(cost::fold(self.shape.rows, polys));
    }

    pub(super) fn divide(&self, ledger: &mut Ledger, roots: usize) -> Result<()> {
        let scratch = self.device.context.divide_bytes(self.shape.rows)?;
        ledger.scratch(scratch, scratch);
        ledger.cost(cost::divide(self.shape.rows, roots));
        Ok(())
    }

    /// What operations take that say nothing: for each column two elements and more, and two for each 2^12 of its rows.
    pub(super) fn small(&self, ledger: &mut Ledger, columns: usize) {
        let elements = 32 + columns * (4 + 2 * (self.shape.rows >> 12));
        let bytes = (elements * size_of::<Fr>()) as u64;
        let device = if self.device.msm_least.is_some() { bytes } else { 0 };
        let scratch = Bytes { host: bytes, device };
        ledger.scratch(scratch, scratch);
    }

    /// The columns of a pass that are made for it on a coset.
    pub(super) fn made(&self, pass: &Compiled, is_made: impl Fn(Source) -> bool) -> usize {
        let resident = |source: Source| self.strategy.cosets && source.is_common();
        pass.columns().iter().filter(|&&source| is_made(source) && !resident(source)).count()
    }

    /// The columns that the constraints read.
    pub(super) fn sources(&self, which: impl Fn(Source) -> bool) -> impl Iterator<Item = Source> {
        let all = self.programs.quotient.iter().flat_map(Compiled::columns).copied();
        let mut known = Vec::new();
        all.filter(move |source| {
            which(*source) && !known.contains(source) && {
                known.push(*source);
                true
            }
        })
    }

    pub(super) fn take(&self, ledger: &mut Ledger, columns: usize) {
        ledger.take(times(self.device.column(self.shape.rows), columns));
    }

    pub(super) fn release(&self, ledger: &mut Ledger, columns: usize) {
        ledger.release(times(self.device.column(self.shape.rows), columns));
    }
}

pub(super) fn times(bytes: Bytes, n: usize) -> Bytes {
    Bytes { host: bytes.host * n as u64, device: bytes.device * n as u64 }
}
