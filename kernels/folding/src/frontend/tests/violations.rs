//! What the check says of a step that violates its circuit.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::*;
use super::circuits::{Cubic, Squares};
use super::mock::Mocked;

const ROWS: usize = 100;

/// The values of a step of `ROWS` rows, of which one variable is changed.
fn changed(variable: usize) -> (StepSetup<1, Fr, Cubic>, Vec<Fr>) {
    let circuit = Cubic { repeats: ROWS, constant: 5 };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    let mut values = setup.witness(&circuit, &[Fr::from(2)]).unwrap().values;
    setup.shape().check(&values).unwrap();
    values[variable] += Fr::ONE;
    (setup, values)
}

#[test]
fn an_unsatisfied_row_is_found_wherever_it_is() {
    for (variable, rows) in [(0, vec![0]), (50, vec![49, 50]), (99, vec![98, 99]), (100, vec![99])] {
        let (setup, values) = changed(variable);
        let Violations(violations) = setup.shape().check(&values).unwrap_err();
        let found: Vec<u32> = violations
            .iter()
            .map(|violation| match violation {
                Violation::Gate { gate, constraint, row, .. }
                    if gate == "cubic" && constraint == "y = x^3 + x + c" =>
                {
                    *row
                }
                other => panic!("{other}"),
            })
            .collect();
        assert_eq!(found, rows, "variable {variable}");
    }
}

#[test]
fn reports_an_unsatisfied_row_with_its_cells() {
    let (setup, values) = changed(ROWS);
    let Violations(violations) = setup.shape().check(&values).unwrap_err();
    let Violation::Gate { cells, .. } = &violations[0] else { panic!("{violations:?}") };
    let row = u32::try_from(ROWS - 1).unwrap();
    let cell = |column| CellName { lane: Lane::Advice(column), row };
    assert_eq!(*cells, [(cell(0), values[ROWS - 1]), (cell(1), values[ROWS])]);
    let text = Violations(violations).to_string();
    assert!(
        text.starts_with("gate 'cubic', constraint 'y = x^3 + x + c' does not hold in row 99\n"),
        "{text}"
    );
    assert!(text.contains("advice column 1, row 99 = "), "{text}");
}

#[test]
fn reports_only_the_first_violations() {
    let (setup, mut values) = changed(0);
    values.iter_mut().for_each(|value| *value += Fr::ONE);
    assert_eq!(setup.shape().check(&values).unwrap_err().0.len(), 8);
}

#[test]
fn values_of_another_length_are_refused() {
    let (setup, mut values) = changed(0);
    values.pop();
    let expected = Violation::Values { expected: ROWS + 1, got: ROWS };
    assert_eq!(setup.shape().check(&values), Err(Violations(vec![expected])));
}

#[test]
fn reports_a_copy_with_another_value_with_its_cell() {
    let honest = Squares { looked_up: vec![3, 4], copied: 0 };
    let setup = StepSetup::new(&honest, 17).unwrap();
    setup.check(&setup.witness(&honest, &[Fr::ONE]).unwrap()).unwrap();
    let cheating = Squares { copied: 1, ..honest };
    let witness = setup.witness(&cheating, &[Fr::ONE]).unwrap();
    let conflict =
        Conflict { cell: CellName { lane: Lane::Advice(0), row: 2 }, value: Fr::from(2), expected: Fr::ONE };
    assert_eq!(setup.check(&witness), Err(Violations(vec![Violation::Copy(conflict)])));
    assert!(!Mocked::new(&cheating, [Fr::ONE]).accepts());
}

#[test]
fn reports_a_value_outside_the_table_and_counts_it_nowhere() {
    let circuit = Squares { looked_up: vec![3, 300], copied: 0 };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    let witness = setup.witness(&circuit, &[Fr::ONE]).unwrap();
    let Violations(violations) = setup.check(&witness).unwrap_err();
    let [Violation::Lookup { lookup, row, tuple, .. }] = &violations[..] else { panic!("{violations:?}") };
    assert_eq!((lookup.as_str(), *row), ("squares", 1));
    assert_eq!(*tuple, [Fr::from(300), Fr::from(300 * 300)]);
    let multiplicities = setup.shape().multiplicities(&witness.values);
    assert_eq!(multiplicities.missing, [(0, 1)]);
    assert_eq!(multiplicities.counts[0].iter().sum::<u64>(), 1);
    assert!(!Mocked::new(&circuit, [Fr::ONE]).accepts());
}

#[test]
fn lookups_are_counted_by_distinct_tuple() {
    let circuit = Squares { looked_up: vec![3, 255, 3, 0, 3], copied: 0 };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    let shape = setup.shape();
    let witness = setup.witness(&circuit, &[Fr::ONE]).unwrap();
    setup.check(&witness).unwrap();
    let multiplicities = shape.multiplicities(&witness.values);
    let [table] = &shape.tables[..] else { panic!("one table, not {}", shape.tables.len()) };
    assert_eq!((table.width(), table.len()), (2, 256));
    let expected = [(3u64, 3), (255, 1), (0, 1), (7, 0)];
    for (value, count) in expected {
        let tuple = table.find(&[Fr::from(value), Fr::from(value * value)]).unwrap();
        assert_eq!(multiplicities.counts[0][tuple as usize], count, "{value}");
    }
    // Rows that look up nothing look up (0, 0), which is constant there, and are not counted.
    assert_eq!(shape.lookups.iter().map(|lookup| lookup.rows.len()).sum::<usize>(), 5);
}

#[test]
fn a_table_that_no_row_looks_up_in_is_left_out() {
    let circuit = Squares { looked_up: Vec::new(), copied: 0 };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    assert_eq!((setup.shape().lookups.len(), setup.shape().tables.len()), (0, 0));
    setup.check(&setup.witness(&circuit, &[Fr::ONE]).unwrap()).unwrap();
}
