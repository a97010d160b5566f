//! The operations of a key's preparation and of a proof, in their order: what they take, and what they cost.

use std::collections::BTreeMap;

use halo2_axiom::halo2curves::bn256::G1Affine;
use zkaccel::{Bases, Bytes, Domain};

use crate::{
    cost,
    error::Result,
    key::{Programs, Rotations, Shape},
    plan::{Device, Ledger, Strategy, steps::times},
    program::{Compiled, Source},
    stage::Stage,
};

/// A multi-opening scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Shplonk,
    Gwc,
}

/// Of an instruction in the forms that it is compiled through.
const INSTRUCTION_BYTES: usize = 128;

/// Goes through what [`Key`](crate::key::Key) and [`Proof`](crate::proof::Proof) do.
pub(crate) struct Walk<'a> {
    pub(super) shape: &'a Shape,
    pub(super) strategy: &'a Strategy,
    pub(super) programs: &'a Programs,
    pub(super) device: Device<'a>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(
        shape: &'a Shape,
        strategy: &'a Strategy,
        programs: &'a Programs,
        device: Device<'a>,
    ) -> Self {
        Self { shape, strategy, programs, device }
    }

    /// One proof, next to what is held.
    pub(crate) fn proof(&self, circuits: usize, scheme: Scheme) -> Result<Ledger> {
        let mut ledger = Ledger::default();
        self.prove(&mut ledger, circuits, scheme)?;
        Ok(ledger)
    }

    /// Set-up parameters and key.
    pub(crate) fn prepare(&self, ledger: &mut Ledger, programs: Result<Bytes>) -> Result<()> {
        let shape = self.shape;
        ledger.take(programs?);
        // While one is compiled, it is there in other forms too.
        let longest = self.programs.all().map(Compiled::instructions).max().unwrap_or(0);
        let forms = Bytes { host: (longest * INSTRUCTION_BYTES) as u64, device: 0 };
        ledger.scratch(forms, forms);
        let tables = Bases::<G1Affine>::bytes(self.device.context, shape.rows, 0)?;
        ledger.take(times(tables, 2));
        let domain = Domain::bytes(self.device.context, shape.k, shape.k)?;
        ledger.take(times(domain, 1 + shape.pieces));
        let common = shape.system.num_fixed_columns() + shape.permuted();
        // The powers of omega, and the marks of rows.
        self.take(ledger, common + 4);
        if self.strategy.values {
            self.take(ledger, common);
        }
        let mut resident = 0;
        if self.strategy.cosets {
            resident = self.sources(Source::is_common).count() * shape.pieces;
        }
        self.take(ledger, resident);
        self.ntt(ledger, usize::from(resident != 0))?;
        // Points are checked, and columns are uploaded.
        self.small(ledger, 1);
        Ok(())
    }

    /// One proof, which leaves behind what there was before it.
    pub(crate) fn prove(&self, ledger: &mut Ledger, circuits: usize, scheme: Scheme) -> Result<()> {
        let shape = self.shape;
        let (sets, lookups) = (shape.sets.len(), self.programs.lookups.len());
        self.witness(ledger, circuits)?;
        ledger.end(Stage::Witness);
        self.lookups(ledger, circuits)?;
        ledger.end(Stage::Lookups);
        self.products(ledger, circuits)?;
        ledger.end(Stage::Products);
        let (advice, instance) = (shape.column_phases.len(), shape.system.num_instance_columns());
        let columns = circuits * (advice + instance + sets + 3 * lookups);
        self.ntt(ledger, columns)?;
        self.quotient(ledger, circuits)?;
        ledger.end(Stage::Quotient);
        let opened = shape.opened(circuits);
        self.evaluations(ledger, &opened)?;
        ledger.end(Stage::Evaluations);
        match scheme {
            Scheme::Shplonk => self.shplonk(ledger, &opened)?,
            Scheme::Gwc => self.gwc(ledger, &opened)?,
        }
        // With the quotient and the random polynomial.
        self.release(ledger, columns + 2);
        Ok(())
    }

    fn witness(&self, ledger: &mut Ledger, circuits: usize) -> Result<()> {
        let (shape, n) = (self.shape, self.shape.rows);
        let invert = self.device.context.invert_bytes(n)?;
        for _ in 0..circuits {
            ledger.cost(cost::synthesize(shape.column_phases.len() * n));
            for phase in 0..shape.phases() {
                let columns = shape.column_phases.iter().filter(|&&of| of == phase).count();
                for _ in 0..columns {
                    // The inverses of denominators.
                    self.take(ledger, 1);
                    ledger.scratch(invert, invert);
                    self.release(ledger, 1);
                    self.take(ledger, 1);
                }
                if circuits == 1 {
                    self.commit(ledger, columns)?;
                }
            }
            self.take(ledger, shape.system.num_instance_columns());
        }
        if circuits > 1 {
            self.commit(ledger, circuits * shape.column_phases.len())?;
        }
        Ok(())
    }

    fn lookups(&self, ledger: &mut Ledger, circuits: usize) -> Result<()> {
        let permute = self.device.context.permute_bytes(self.shape.usable)?;
        for programs in std::iter::repeat_n(&self.programs.lookups, circuits).flatten() {
            for program in [&programs.input, &programs.table] {
                self.run_over_rows(ledger, program)?;
            }
            self.take(ledger, 2);
            ledger.scratch(permute, permute);
            ledger.cost(cost::permute(self.shape.rows));
        }
        self.commit(ledger, 2 * circuits * self.programs.lookups.len())
    }

    fn products(&self, ledger: &mut Ledger, circuits: usize) -> Result<()> {
        let (n, lookups) = (self.shape.rows, self.programs.lookups.len());
        for programs in std::iter::repeat_n(&self.programs.sets, circuits).flatten() {
            self.run_over_rows(ledger, &programs.numerator)?;
            self.run_over_rows(ledger, &programs.denominator)?;
            self.product(ledger)?;
            self.release(ledger, 2);
        }
        for _ in 0..circuits * lookups {
            self.run_over_rows(ledger, &self.programs.pair)?;
            self.run_over_rows(ledger, &self.programs.pair)?;
            self.product(ledger)?;
            // With the compressed columns.
            self.release(ledger, 4);
        }
        self.commit(ledger, circuits * (self.shape.sets.len() + lookups))?;
        ledger.cost(cost::random(n));
        self.take(ledger, 1);
        self.commit(ledger, 1)
    }

    fn product(&self, ledger: &mut Ledger) -> Result<()> {
        self.take(ledger, 1);
        let scratch = self.device.context.grand_product_bytes(self.shape.usable)?;
        ledger.scratch(scratch, scratch);
        ledger.cost(cost::product(self.shape.rows));
        Ok(())
    }

    fn quotient(&self, ledger: &mut Ledger, circuits: usize) -> Result<()> {
        let pieces = self.shape.pieces;
        let passes = &self.programs.quotient;
        for _ in 0..pieces {
            let shared = if let [pass] = &passes[..] { self.made(pass, Source::is_common) } else { 0 };
            self.take(ledger, shared);
            self.ntt(ledger, shared)?;
            self.take(ledger, 1);
            for pass in std::iter::repeat_n(passes, circuits).flatten() {
                let common = if passes.len() == 1 { 0 } else { self.made(pass, Source::is_common) };
                self.take(ledger, common);
                self.ntt(ledger, common)?;
                let own = self.made(pass, |source| !source.is_common() && source != Source::Powers);
                self.take(ledger, own);
                self.ntt(ledger, own)?;
                self.run(ledger, pass)?;
                self.release(ledger, own + common);
            }
            self.ntt(ledger, 1)?;
            self.release(ledger, shared);
        }
        for _ in 0..pieces {
            self.take(ledger, 1);
            self.run(ledger, &self.programs.combination)?;
        }
        self.release(ledger, pieces);
        self.commit(ledger, pieces)
    }

    fn evaluations(&self, ledger: &mut Ledger, opened: &[Rotations]) -> Result<()> {
        let (n, pieces) = (self.shape.rows, self.shape.pieces);
        self.take(ledger, 1);
        self.fold(ledger, pieces);
        self.release(ledger, pieces);
        for polys in by_point(opened).into_values() {
            self.small(ledger, polys);
            ledger.cost(cost::evaluate(n, polys));
        }
        Ok(())
    }

    fn shplonk(&self, ledger: &mut Ledger, opened: &[Rotations]) -> Result<()> {
        let mut sets: BTreeMap<&Rotations, usize> = BTreeMap::new();
        for rotations in opened {
            *sets.entry(rotations).or_default() += 1;
        }
        for &polys in sets.values() {
            self.take(ledger, 1);
            self.fold(ledger, polys);
        }
        for rotations in sets.keys() {
            self.take(ledger, 1);
            self.divide(ledger, rotations.len())?;
        }
        self.take(ledger, 1);
        self.fold(ledger, sets.len());
        self.release(ledger, sets.len());
        self.commit(ledger, 1)?;
        self.take(ledger, 1);
        for _ in 0..=sets.len() + 1 {
            ledger.cost(cost::scale(self.shape.rows));
        }
        self.divide(ledger, 1)?;
        self.commit(ledger, 1)?;
        // What is left of the sums, the sum of quotients, and the linear combination.
        self.release(ledger, sets.len() + 2);
        Ok(())
    }

    fn gwc(&self, ledger: &mut Ledger, opened: &[Rotations]) -> Result<()> {
        let points = by_point(opened);
        for &polys in points.values() {
            self.take(ledger, 1);
            self.fold(ledger, polys);
            self.divide(ledger, 1)?;
        }
        self.commit(ledger, points.len())?;
        self.release(ledger, points.len());
        Ok(())
    }
}

/// How many polynomials are opened at each point.
fn by_point(opened: &[Rotations]) -> BTreeMap<i32, usize> {
    let mut points = BTreeMap::new();
    for rotation in opened.iter().flatten() {
        *points.entry(*rotation).or_default() += 1;
    }
    points
}
