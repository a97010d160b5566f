//! What gates, copies and assignments mean, where random circuits do not show it.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::*;
use super::mock::Mocked;

/// Whether our check and the mock prover accept a step, which is laid out in a table of the mock prover's size.
fn verdicts<const ARITY: usize, SC: StepCircuit<ARITY, Fr>>(circuit: &SC, z_in: [Fr; ARITY]) -> (bool, bool) {
    let mocked = Mocked::new(circuit, z_in);
    let setup = StepSetup::with_any_table(circuit, mocked.k()).unwrap();
    let witness = setup.witness(circuit, &z_in).unwrap();
    (setup.check(&witness).is_ok(), mocked.accepts())
}

/// A column of 101 cells, in a table of 128 rows; a gate in row 3 says that the cell 31 rows above has the same value.
#[derive(Clone, Copy, Debug)]
struct Wrapping {
    third: u64,
    last: u64,
}

impl StepCircuit<1, Fr> for Wrapping {
    type Config = (Column<Advice>, Selector);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (column, enabled) = (cs.advice_column(), cs.selector());
        cs.create_gate("same", |cells| {
            let here = cells.query_advice(column, Rotation::cur());
            let above = cells.query_advice(column, Rotation(-31));
            Constraints::with_selector(enabled, vec![("same", here - above)])
        });
        (column, enabled)
    }

    fn synthesize_step(
        &self,
        (column, enabled): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        layouter.assign_region(
            || "column",
            |mut region| {
                enabled.enable(&mut region, 3)?;
                for row in 0..=100 {
                    let value = match row {
                        3 => self.third,
                        100 => self.last,
                        _ => 1000 + row as u64,
                    };
                    region.assign_advice(|| "", column, row, || Value::known(Fr::from(value)))?;
                }
                Ok(())
            },
        )?;
        Ok([z_i[0].clone()])
    }
}

#[test]
fn a_rotation_above_the_first_row_reads_the_end_of_the_table() {
    assert_eq!(Mocked::new(&Wrapping { third: 7, last: 7 }, [Fr::ONE]).k(), 7);
    assert_eq!(verdicts(&Wrapping { third: 7, last: 7 }, [Fr::ONE]), (true, true));
    assert_eq!(verdicts(&Wrapping { third: 7, last: 8 }, [Fr::ONE]), (false, false));
}

#[test]
fn rotations_wrap_in_both_directions_and_never_mask() {
    let query = |rotation| Query { lane: Lane::Advice(0), rotation };
    for (row, rotation, expected) in
        [(3, -31, 100), (100, 31, 3), (127, 1, 0), (0, -1, 127), (5, 128, 5), (5, 0, 5)]
    {
        assert_eq!(query(rotation).at(row, 128).row, expected, "row {row}, rotation {rotation}");
    }
}

/// A cell with an additive selector on, or off, which is 0 where the selector is on.
#[derive(Clone, Copy, Debug)]
struct Additive {
    on: bool,
    value: u64,
}

impl StepCircuit<1, Fr> for Additive {
    type Config = (Column<Advice>, Selector);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (column, enabled) = (cs.advice_column(), cs.complex_selector());
        cs.create_gate("zero", |cells| {
            let here = cells.query_advice(column, Rotation::cur());
            let square = here.clone() * here.clone();
            Constraints::with_additive_selector(enabled, vec![("zero", here), ("square", square)])
        });
        cs.enable_equality(column);
        (column, enabled)
    }

    fn synthesize_step(
        &self,
        (column, enabled): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        layouter.assign_region(
            || "zero",
            |mut region| {
                if self.on {
                    enabled.enable(&mut region, 0)?;
                }
                region.assign_advice(|| "", column, 0, || Value::known(Fr::from(self.value)))
            },
        )?;
        Ok([z_i[0].clone()])
    }
}

#[test]
fn enforces_constraints_where_their_additive_selector_is_on() {
    // The mock prover does not look at additive selectors at all, so that it is no oracle here.
    let accepts = |circuit: Additive| {
        let setup = StepSetup::new(&circuit, 17).unwrap();
        setup.check(&setup.witness(&circuit, &[Fr::ONE]).unwrap()).is_ok()
    };
    assert!(accepts(Additive { on: true, value: 0 }));
    assert!(!accepts(Additive { on: true, value: 1 }));
    assert!(accepts(Additive { on: false, value: 1 }));
    let setup = StepSetup::new(&Additive { on: true, value: 0 }, 17).unwrap();
    let [gate] = &setup.shape().gates[..] else { panic!("one gate, not {:?}", setup.shape().gates) };
    assert_eq!((gate.name.as_str(), gate.expressions.len(), gate.degree), ("zero", 2, 2));
}

/// Ties its three inputs together, and to the constant 5.
#[derive(Clone, Copy, Debug, Default)]
struct TiedInputs;

impl StepCircuit<3, Fr> for TiedInputs {
    type Config = (Column<Advice>, Selector);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (column, constants) = (cs.advice_column(), cs.fixed_column());
        cs.enable_equality(column);
        cs.enable_constant(constants);
        (column, cs.selector())
    }

    fn synthesize_step(
        &self,
        (column, _): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 3],
    ) -> Result<[AssignedCell<Fr, Fr>; 3], SynthesisError> {
        layouter.assign_region(
            || "ties",
            |mut region| {
                let copy = z_i[0].copy_advice(|| "", &mut region, column, 0)?;
                region.constrain_equal(copy.cell(), z_i[1].cell())?;
                region.constrain_constant(z_i[2].cell(), Fr::from(5))
            },
        )?;
        Ok(z_i.clone())
    }
}

#[test]
fn inputs_that_are_tied_stay_variables_and_the_tie_is_checked() {
    let five = Fr::from(5);
    assert_eq!(verdicts(&TiedInputs, [Fr::ONE, Fr::ONE, five]), (true, true));
    assert_eq!(verdicts(&TiedInputs, [Fr::ONE, Fr::ZERO, five]), (false, false));
    assert_eq!(verdicts(&TiedInputs, [Fr::ONE, Fr::ONE, Fr::ONE]), (false, false));
    let setup = StepSetup::new(&TiedInputs, 17).unwrap();
    assert_eq!(setup.shape().variables, 3);
    // Not only the comparison of cells says so, but the relation itself.
    setup.shape().check(&[Fr::ONE, Fr::ONE, five]).unwrap();
    setup.shape().check(&[Fr::ONE, Fr::ZERO, five]).unwrap_err();
    setup.shape().check(&[Fr::ONE, Fr::ONE, Fr::ONE]).unwrap_err();
}

/// Assigns one cell twice and copies it; its gate says that the cell is 2.
#[derive(Clone, Copy, Debug)]
struct Twice {
    first: u64,
    second: u64,
}

impl StepCircuit<1, Fr> for Twice {
    type Config = (Column<Advice>, Selector);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (column, enabled) = (cs.advice_column(), cs.selector());
        cs.enable_equality(column);
        cs.create_gate("two", |cells| {
            let two = Expression::Constant(Fr::from(2));
            let here = cells.query_advice(column, Rotation::cur());
            Constraints::with_selector(enabled, vec![("two", here - two)])
        });
        (column, enabled)
    }

    fn synthesize_step(
        &self,
        (column, enabled): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        _: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let cell = layouter.assign_region(
            || "twice",
            |mut region| {
                enabled.enable(&mut region, 0)?;
                region.assign_advice(|| "", column, 0, || Value::known(Fr::from(self.first)))?;
                let cell = region.assign_advice(|| "", column, 0, || Value::known(Fr::from(self.second)))?;
                cell.copy_advice(|| "", &mut region, column, 1)
            },
        )?;
        Ok([cell])
    }
}

#[test]
fn of_two_values_for_a_cell_the_second_holds() {
    assert_eq!(verdicts(&Twice { first: 1, second: 2 }, [Fr::ONE]), (true, true));
    assert_eq!(verdicts(&Twice { first: 2, second: 1 }, [Fr::ONE]), (false, false));
}

#[test]
fn configuration_and_shape_do_not_depend_on_the_witness() {
    let shapes = [Twice { first: 1, second: 2 }, Twice { first: 3, second: 4 }]
        .map(|circuit| format!("{:?}", StepSetup::new(&circuit, 17).unwrap().shape()));
    assert_eq!(shapes[0], shapes[1]);
}
