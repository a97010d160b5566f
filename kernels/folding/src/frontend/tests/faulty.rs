//! A circuit with one fault.

use std::cell::Cell as StdCell;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use midnight_proofs::plonk::{FirstPhase, SecondPhase};

use super::super::layouter::StepLayouter;
use super::super::recorder::Recorder;
use super::super::*;

thread_local! {
    /// The fault that `configure`, which has no receiver, works by.
    static FAULT: StdCell<Fault> = const { StdCell::new(Fault::None) };
}

/// What is wrong with a circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    Instance,
    LaterPhase,
    Challenge,
    FixedUnknown,
    ValueUnknown,
    CopyWithoutEquality,
    ConstantWithoutColumn,
    ConstantsDiffer,
    FixedCellsDiffer,
    UnassignedIsNotZero,
    GateOfConstants,
    GateWithoutSelector,
    LookupOfConstants,
    DynamicTable,
    OutputOfNowhere,
    TableWithHole,
    TableTwice,
    TableUneven,
    FixedInTable,
    ConstantInTable,
    FarCopy,
    FarthestCopy,
    FarRow,
    FarthestRow,
    NoRow,
    Refuses,
}

/// A circuit `z_out = z_in` with a fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Faulty(pub(super) Fault);

impl Faulty {
    pub(super) fn new(fault: Fault) -> Self {
        FAULT.set(fault);
        Self(fault)
    }

    pub(super) fn setup(fault: Fault) -> Result<StepSetup<1, Fr, Self>, Error> {
        StepSetup::new(&Self::new(fault), 17)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FaultyConfig {
    a: Column<Advice>,
    b: Column<Advice>,
    fixed: Column<Fixed>,
    enabled: Selector,
    looking: Selector,
    table: [TableColumn; 2],
}

impl StepCircuit<1, Fr> for Faulty {
    type Config = FaultyConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> FaultyConfig {
        let fault = FAULT.get();
        let (a, b, fixed) = (cs.advice_column(), cs.advice_column(), cs.fixed_column());
        let (enabled, looking) = (cs.selector(), cs.complex_selector());
        let table = [cs.lookup_table_column(), cs.lookup_table_column()];
        cs.enable_equality(a);
        cs.enable_equality(fixed);
        match fault {
            Fault::ConstantWithoutColumn => {}
            Fault::ConstantInTable => cs.enable_constant(table[0].inner()),
            _ => {
                let constants = cs.fixed_column();
                cs.enable_constant(constants);
            }
        }
        match fault {
            Fault::Instance => {
                cs.instance_column();
            }
            Fault::LaterPhase => {
                cs.advice_column_in(SecondPhase);
            }
            Fault::Challenge => {
                cs.challenge_usable_after(FirstPhase);
            }
            _ => {}
        }
        cs.create_gate("one", |cells| {
            let a = cells.query_advice(a, Rotation::cur());
            let one = Expression::Constant(Fr::ONE);
            match fault {
                Fault::GateWithoutSelector => Constraints::without_selector(vec![("a = 1", a - one)]),
                _ => Constraints::with_selector(enabled, vec![("a = 1", a - one)]),
            }
        });
        cs.lookup_any("known", |cells| {
            let looking = cells.query_selector(looking);
            let a = cells.query_advice(a, Rotation::cur());
            let row = match fault {
                Fault::DynamicTable => cells.query_advice(b, Rotation::cur()),
                _ => cells.query_fixed(table[0].inner(), Rotation::cur()),
            };
            vec![(looking * a, row)]
        });
        FaultyConfig { a, b, fixed, enabled, looking, table }
    }

    fn synthesize_step(
        &self,
        config: FaultyConfig,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let (one, two) = (Value::known(Fr::ONE), Value::known(Fr::from(2)));
        match self.0 {
            Fault::TableWithHole => fill(layouter, &[(config.table[0], &[0, 2])])?,
            Fault::TableUneven => fill(layouter, &[(config.table[0], &[0, 1]), (config.table[1], &[0])])?,
            Fault::TableTwice => {
                fill(layouter, &[(config.table[0], &[0, 1])])?;
                fill(layouter, &[(config.table[0], &[0, 1])])?;
            }
            Fault::Refuses => return Err(PlonkError::Synthesis("no such input".into()).into()),
            _ => fill(layouter, &[(config.table[0], &[0, 1])])?,
        }
        layouter.assign_region(
            || "faulty",
            |mut region| {
                let a = region.assign_advice(|| "a", config.a, 0, || one)?;
                match self.0 {
                    Fault::FixedUnknown => {
                        region.assign_fixed(|| "", config.fixed, 0, Value::<Fr>::unknown)?;
                    }
                    Fault::ValueUnknown => {
                        region.assign_advice(|| "", config.b, 1, Value::<Fr>::unknown)?;
                    }
                    Fault::CopyWithoutEquality => {
                        z_i[0].copy_advice(|| "", &mut region, config.b, 0)?;
                    }
                    Fault::ConstantWithoutColumn | Fault::ConstantInTable => {
                        region.constrain_constant(a.cell(), Fr::ONE)?;
                    }
                    Fault::FixedInTable => {
                        region.assign_fixed(|| "", config.table[0].inner(), 5, || one)?;
                    }
                    Fault::FarCopy | Fault::FarthestCopy => {
                        let mut far = a.cell();
                        far.row_offset =
                            if self.0 == Fault::FarCopy { 1 << 17 } else { u32::MAX as usize - 1 };
                        region.constrain_equal(a.cell(), far)?;
                    }
                    Fault::ConstantsDiffer => {
                        region.constrain_constant(a.cell(), Fr::ONE)?;
                        region.constrain_constant(a.cell(), Fr::from(2))?;
                    }
                    Fault::FixedCellsDiffer => {
                        let one = region.assign_fixed(|| "", config.fixed, 0, || one)?;
                        let two = region.assign_fixed(|| "", config.fixed, 1, || two)?;
                        region.constrain_equal(one.cell(), a.cell())?;
                        region.constrain_equal(two.cell(), a.cell())?;
                    }
                    Fault::UnassignedIsNotZero => {
                        region.constrain_constant(a.cell(), Fr::ONE)?;
                        let mut nowhere = a.cell();
                        nowhere.row_offset = 5;
                        region.constrain_equal(a.cell(), nowhere)?;
                    }
                    Fault::GateOfConstants => {
                        region.constrain_constant(a.cell(), Fr::from(2))?;
                        config.enabled.enable(&mut region, 0)?;
                    }
                    Fault::LookupOfConstants => {
                        region.constrain_constant(a.cell(), Fr::from(2))?;
                        config.looking.enable(&mut region, 0)?;
                    }
                    Fault::DynamicTable => {
                        region.assign_advice(|| "", config.b, 0, || one)?;
                    }
                    Fault::FarRow => {
                        region.assign_advice(|| "", config.b, (1 << 17) - 1, || one)?;
                    }
                    Fault::FarthestRow => {
                        region.assign_advice(|| "", config.b, u32::MAX as usize, || one)?;
                    }
                    Fault::NoRow => {
                        region.assign_advice(|| "", config.b, 1 << 32, || one)?;
                    }
                    _ => {}
                }
                Ok(())
            },
        )?;
        if self.0 == Fault::OutputOfNowhere {
            // A cell of another layout, in a row that nothing is assigned in here.
            let mut other = StepLayouter::new(Recorder::new(&ConstraintSystem::default(), false));
            let assign = |mut region: Region<'_, Fr>| region.assign_advice(|| "", config.a, 9, || one);
            return Ok([other.assign_region(|| "", assign)?]);
        }
        Ok([z_i[0].clone()])
    }
}

/// Assigns to rows of table columns their own numbers.
fn fill(layouter: &mut impl Layouter<Fr>, columns: &[(TableColumn, &[usize])]) -> Result<(), PlonkError> {
    layouter.assign_table(
        || "table",
        |mut table| {
            for (column, rows) in columns {
                for row in *rows {
                    table.assign_cell(|| "", *column, *row, || Value::known(Fr::from(*row as u64)))?;
                }
            }
            Ok(())
        },
    )
}
