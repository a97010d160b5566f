//! What a writer does at each call of a circuit.

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::Cell;
use midnight_proofs::plonk;
use midnight_proofs::utils::rational::Rational;

use super::super::classes::Target;
use super::super::digest::LayoutDigest;
use super::super::error::Error;
use super::super::layouter::{Assignments, Fill, ToValue};
use super::super::recorder::known;
use super::Writer;

impl<F: PrimeField> Assignments<F> for Writer<'_, F> {
    fn enter_region(&mut self) -> Result<(), plonk::Error> {
        Ok(())
    }

    fn exit_region(&mut self, name: &dyn Fn() -> String, digest: LayoutDigest) -> Result<(), plonk::Error> {
        let expected = self.tape.regions.get(self.regions);
        self.regions += 1;
        if self.changed || expected.is_none_or(|expected| expected.digest != digest) {
            return Err(self.fail(Error::LayoutChanged(name())));
        }
        Ok(())
    }

    fn advice(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error> {
        let assignment = self.assigned;
        let Some(target) = self.tape.targets.get(assignment) else { return Err(self.change()) };
        self.assigned += 1;
        let mut assigned = None;
        to().map(|value| assigned = Some(value));
        let value = match assigned {
            Some(Rational::Trivial(value)) => value,
            Some(Rational::Zero) => F::ZERO,
            Some(Rational::Rational(numerator, denominator)) => {
                match target {
                    Target::Define => {
                        self.rationals.define(self.values.len(), numerator, denominator);
                        self.values.push(F::ZERO);
                    }
                    Target::Compare(_) => self.rationals.compare(assignment, numerator, denominator),
                    Target::Superseded => {}
                }
                return Ok(());
            }
            None => return Err(self.fail(Error::ValueUnknown { column, offset })),
        };
        match *target {
            Target::Define => self.values.push(value),
            Target::Compare(with) if self.rationals.waits_for(with) => {
                self.rationals.compare(assignment, value, F::ONE);
            }
            Target::Compare(with) => self.compare(assignment, with, value),
            Target::Superseded => {}
        }
        Ok(())
    }

    fn fixed(&mut self, _: u32, _: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error> {
        match known(to()) {
            Some(value) => self.expect_given(value),
            None => Err(self.change()),
        }
    }

    fn selector(&mut self, _: u32, _: u32) -> Result<(), plonk::Error> {
        Ok(())
    }

    fn constant(&mut self, _: Cell, constant: Rational<F>) -> Result<(), plonk::Error> {
        self.expect_given(constant.evaluate())
    }

    fn copy(&mut self, _: Cell, _: Cell) -> Result<(), plonk::Error> {
        Ok(())
    }

    fn table(&mut self, _: Fill<'_, F>) -> Result<(), plonk::Error> {
        Ok(())
    }
}
