//! Layouts that depend on input.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::*;

/// What a step does in another way than set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    Values,
    SelectorOff,
    SelectorRow,
    FixedValue,
    FixedRow,
    CellRow,
    CellColumn,
    CellMore,
    CellLess,
    CellOrder,
    CopyOther,
    CopyLess,
    Constant,
    ConstantOther,
    RegionMore,
    RegionLess,
    Output,
}

#[derive(Clone, Copy, Debug)]
struct Fickle(Change);

impl StepCircuit<1, Fr> for Fickle {
    type Config = ([Column<Advice>; 2], Column<Fixed>, Selector);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let config = ([cs.advice_column(), cs.advice_column()], cs.fixed_column(), cs.selector());
        let constants = cs.fixed_column();
        cs.enable_constant(constants);
        config.0.iter().for_each(|column| cs.enable_equality(*column));
        config
    }

    fn synthesize_step(
        &self,
        (advice, fixed, selector): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let is = |change| self.0 == change;
        let value = Value::known(Fr::from(if is(Change::Values) { 4 } else { 3 }));
        let cells = layouter.assign_region(
            || "first",
            |mut region| {
                if !is(Change::SelectorOff) {
                    selector.enable(&mut region, usize::from(is(Change::SelectorRow)))?;
                }
                let constant = Value::known(Fr::from(u64::from(is(Change::FixedValue))));
                region.assign_fixed(|| "", fixed, usize::from(is(Change::FixedRow)), || constant)?;
                let at = [(advice[0], 0), (advice[0], 1), (advice[1], 0)];
                let mut at = match self.0 {
                    Change::CellRow => [(advice[0], 0), (advice[0], 2), (advice[1], 0)],
                    Change::CellColumn => [(advice[0], 0), (advice[1], 1), (advice[1], 0)],
                    Change::CellOrder => [(advice[0], 1), (advice[0], 0), (advice[1], 0)],
                    _ => at,
                }
                .to_vec();
                at.truncate(if is(Change::CellLess) { 2 } else { 3 });
                if is(Change::CellMore) {
                    at.push((advice[1], 1));
                }
                let cells =
                    at.iter().map(|(column, row)| region.assign_advice(|| "", *column, *row, || value));
                let cells = cells.collect::<Result<Vec<_>, _>>()?;
                if !is(Change::CopyLess) {
                    region.constrain_equal(
                        cells[0].cell(),
                        cells[usize::from(!is(Change::CopyOther))].cell(),
                    )?;
                }
                let of = usize::from(is(Change::ConstantOther));
                region.constrain_constant(
                    cells[of].cell(),
                    Fr::from(if is(Change::Constant) { 5 } else { 3 }),
                )?;
                Ok(cells)
            },
        )?;
        let regions = [0, 1, 2][usize::from(!is(Change::RegionLess)) + usize::from(is(Change::RegionMore))];
        for _ in 0..regions {
            layouter.assign_region(
                || "second",
                |mut region| z_i[0].copy_advice(|| "", &mut region, advice[0], 0),
            )?;
        }
        Ok([if is(Change::Output) { cells[0].clone() } else { z_i[0].clone() }])
    }
}

fn changed(change: Change) -> Option<String> {
    let setup = StepSetup::new(&Fickle(Change::Nothing), 17).unwrap();
    match setup.witness(&Fickle(change), &[Fr::ONE]) {
        Ok(_) => None,
        Err(Error::LayoutChanged(region)) => Some(region),
        Err(other) => panic!("{change:?}: {other}"),
    }
}

#[test]
fn values_may_depend_on_input() {
    assert_eq!(changed(Change::Nothing), None);
    assert_eq!(changed(Change::Values), None);
}

#[test]
fn gates_enabled_at_rows_that_depend_on_input_are_found() {
    assert_eq!(changed(Change::SelectorOff).as_deref(), Some("first"));
    assert_eq!(changed(Change::SelectorRow).as_deref(), Some("first"));
}

#[test]
fn a_layout_that_depends_on_input_is_found_with_its_region() {
    for change in [
        Change::FixedValue,
        Change::FixedRow,
        Change::CellRow,
        Change::CellColumn,
        Change::CellMore,
        Change::CellLess,
        Change::CellOrder,
        Change::CopyOther,
        Change::CopyLess,
        Change::Constant,
        Change::ConstantOther,
    ] {
        assert_eq!(changed(change).as_deref(), Some("first"), "{change:?}");
    }
    assert_eq!(changed(Change::RegionMore).as_deref(), Some("second"));
    assert_eq!(changed(Change::RegionLess).as_deref(), Some("second"));
    assert_eq!(changed(Change::Output).as_deref(), Some("outputs of the step"));
}
