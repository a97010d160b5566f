//! What a recorder does at each call of a circuit.

use halo2curves::ff::PrimeField;
use midnight_proofs::circuit::{Cell, Table, TableLayouter};
use midnight_proofs::plonk;
use midnight_proofs::utils::rational::Rational;

use super::super::digest::LayoutDigest;
use super::super::error::Error;
use super::super::layout::RegionRecord;
use super::super::layouter::{Assignments, Fill, ToValue};
use super::region::OpenRegion;
use super::table::TableRecorder;
use super::{Recorder, known};

impl<F: PrimeField> Assignments<F> for Recorder<F> {
    fn enter_region(&mut self) -> Result<(), plonk::Error> {
        self.open = OpenRegion::default();
        Ok(())
    }

    fn exit_region(&mut self, name: &dyn Fn() -> String, digest: LayoutDigest) -> Result<(), plonk::Error> {
        let open = std::mem::take(&mut self.open);
        let start = open.lanes().filter_map(|lane| self.first_free.get(&lane)).max().copied().unwrap_or(0);
        let end = u64::from(start) + u64::from(open.rows);
        self.layout.rows = self.layout.rows.max(end);
        // No table reaches this far: the circuit is refused when all its rows are counted, wherever this region is.
        let (start, end) = u32::try_from(end).map_or((0, 0), |end| (start, end));
        for lane in open.lanes() {
            self.first_free.insert(lane, end);
        }
        let name = name();
        if let Some(column) = open.unknown {
            self.failure.get_or_insert(Error::FixedUnknown { column, region: name.clone() });
        }
        self.layout.regions.push(RegionRecord { name, start, digest });
        open.place(start, &mut self.layout);
        for (left, right) in open.copies {
            let (left, right) = self.name(left).zip(self.name(right)).ok_or(plonk::Error::BoundsFailure)?;
            self.tie(left, right);
        }
        self.place_constants(open.constants)
    }

    fn advice(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error> {
        self.open.advice(column, offset);
        if self.evaluate {
            to();
        }
        Ok(())
    }

    fn fixed(&mut self, column: u32, offset: u32, to: ToValue<'_, F>) -> Result<(), plonk::Error> {
        self.expect_unfilled(column)?;
        let Some(value) = known(to()) else {
            self.open.unknown = Some(column);
            return Err(plonk::Error::Synthesis("the value of a fixed cell is not known".into()));
        };
        self.layout.given.push(value);
        self.open.fixed(column, offset, value);
        Ok(())
    }

    fn selector(&mut self, selector: u32, offset: u32) -> Result<(), plonk::Error> {
        self.open.selector(selector, offset);
        Ok(())
    }

    fn constant(&mut self, cell: Cell, constant: Rational<F>) -> Result<(), plonk::Error> {
        self.expect_equality(cell)?;
        let constant = constant.evaluate();
        self.layout.given.push(constant);
        self.open.constants.push((constant, cell));
        Ok(())
    }

    fn copy(&mut self, left: Cell, right: Cell) -> Result<(), plonk::Error> {
        self.expect_equality(left)?;
        self.expect_equality(right)?;
        self.open.copies.push((left, right));
        Ok(())
    }

    fn table(&mut self, assignment: Fill<'_, F>) -> Result<(), plonk::Error> {
        let mut table = TableRecorder::new(&self.filled);
        assignment(Table::from(&mut table as &mut dyn TableLayouter<F>))?;
        let columns = table.finish()?;
        for (column, values) in columns {
            self.filled.push(column);
            self.layout.table(column, &values);
        }
        Ok(())
    }
}
