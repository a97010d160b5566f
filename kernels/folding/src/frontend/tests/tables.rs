//! Tables that lookups share, and ones that nothing is looked up in.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::*;
use super::mock::Mocked;

/// Two lookups into the numbers below 8 and one, whose selector is never on, into those below 16.
#[derive(Clone, Copy, Debug)]
struct Ranges {
    values: [u64; 2],
}

impl StepCircuit<1, Fr> for Ranges {
    type Config = (Column<Advice>, [Selector; 3], [TableColumn; 2]);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let column = cs.advice_column();
        let looking = [0; 3].map(|_| cs.complex_selector());
        let tables = [0; 2].map(|_| cs.lookup_table_column());
        for (name, looking, table) in [
            ("unused", looking[0], tables[0]),
            ("value", looking[1], tables[1]),
            ("double", looking[2], tables[1]),
        ] {
            cs.lookup(name, |cells| {
                let looking = cells.query_selector(looking);
                let value = cells.query_advice(column, Rotation::cur());
                let scale = Fr::from(if name == "double" { 2 } else { 1 });
                vec![(looking * value * scale, table)]
            });
        }
        (column, looking, tables)
    }

    fn synthesize_step(
        &self,
        (column, looking, tables): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        for (table, rows) in [(tables[0], 16u64), (tables[1], 8)] {
            layouter.assign_table(
                || "range",
                |mut cells| {
                    let mut assign = |row: u64| {
                        let at = usize::try_from(row).unwrap();
                        cells.assign_cell(|| "", table, at, || Value::known(Fr::from(row)))
                    };
                    (0..rows).try_for_each(&mut assign)
                },
            )?;
        }
        layouter.assign_region(
            || "values",
            |mut region| {
                for (row, value) in self.values.into_iter().enumerate() {
                    looking[1 + row].enable(&mut region, row)?;
                    region.assign_advice(|| "", column, row, || Value::known(Fr::from(value)))?;
                }
                Ok(())
            },
        )?;
        Ok([z_i[0].clone()])
    }
}

#[test]
fn lookups_into_one_table_share_it_and_an_unused_table_is_left_out() {
    let circuit = Ranges { values: [6, 3] };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    let shape = setup.shape();
    assert_eq!(shape.tables.iter().map(Tuples::len).collect::<Vec<_>>(), [8]);
    let lookups: Vec<_> = shape.lookups.iter().map(|lookup| (lookup.name.as_str(), lookup.table)).collect();
    assert_eq!(lookups, [("value", 0), ("double", 0)]);
    let witness = setup.witness(&circuit, &[Fr::ONE]).unwrap();
    setup.check(&witness).unwrap();
    assert_eq!(shape.multiplicities(&witness.values).counts, [[0, 0, 0, 0, 0, 0, 2, 0]]);
}

#[test]
fn what_is_in_another_table_only_is_refused() {
    for (values, expected) in [([7, 3], true), ([8, 3], false), ([7, 4], false)] {
        let circuit = Ranges { values };
        let setup = StepSetup::new(&circuit, 17).unwrap();
        let witness = setup.witness(&circuit, &[Fr::ONE]).unwrap();
        assert_eq!(setup.check(&witness).is_ok(), expected, "{values:?}");
        assert_eq!(Mocked::new(&circuit, [Fr::ONE]).accepts(), expected, "mock prover, {values:?}");
    }
}
