use std::sync::Arc;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

use super::super::{Circuit, Linear, PlacedStep, Variable, lookup};
use crate::frontend::*;
use crate::relation::{Relation, Violation};

/// `z_out = Σ of the squares of values in the witness + z_in`; squares are looked up in a table of those of 0..16.
struct Squares(Vec<(u64, u64)>);

#[derive(Clone, Copy)]
struct Config {
    root: Column<Advice>,
    square: Column<Advice>,
    sum: Column<Advice>,
    enabled: Selector,
    table: [TableColumn; 2],
}

impl StepCircuit<1, Fr> for Squares {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Config {
        let [root, square, sum] = [(); 3].map(|()| cs.advice_column());
        let table = [(); 2].map(|()| cs.lookup_table_column());
        let enabled = cs.complex_selector();
        cs.enable_equality(sum);
        cs.create_gate("sum", |cells| {
            let [before, after] = [Rotation::cur(), Rotation::next()].map(|at| cells.query_advice(sum, at));
            let square = cells.query_advice(square, Rotation::cur());
            Constraints::with_selector(enabled, vec![("after = before + square", before + square - after)])
        });
        cs.lookup("squares", |cells| {
            let enabled = cells.query_selector(enabled);
            let [root, square] = [root, square].map(|column| cells.query_advice(column, Rotation::cur()));
            vec![(enabled.clone() * root, table[0]), (enabled * square, table[1])]
        });
        Config { root, square, sum, enabled, table }
    }

    fn synthesize_step(
        &self,
        config: Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        layouter.assign_table(
            || "squares",
            |mut table| {
                for root in 0..16 {
                    let [first, second] = [root, root * root].map(Fr::from);
                    let offset = usize::try_from(root).unwrap();
                    table.assign_cell(|| "root", config.table[0], offset, || Value::known(first))?;
                    table.assign_cell(|| "square", config.table[1], offset, || Value::known(second))?;
                }
                Ok(())
            },
        )?;
        let sum = layouter.assign_region(
            || "sum",
            |mut region| {
                let mut sum = z_i[0].copy_advice(|| "z", &mut region, config.sum, 0)?;
                for (offset, (root, square)) in self.0.iter().enumerate() {
                    config.enabled.enable(&mut region, offset)?;
                    let [root, square] = [*root, *square].map(Fr::from);
                    region.assign_advice(|| "root", config.root, offset, || Value::known(root))?;
                    region.assign_advice(|| "square", config.square, offset, || Value::known(square))?;
                    let after = sum.value().map(|sum| *sum + square);
                    sum = region.assign_advice(|| "after", config.sum, offset + 1, || after)?;
                }
                Ok(sum)
            },
        )?;
        Ok([sum])
    }
}

struct Built {
    relation: Relation<Fr>,
    step: PlacedStep<Fr>,
    vector: Vec<Fr>,
    challenges: Vec<Fr>,
}

/// The step within a circuit that has another variable before it, and its output made public.
fn build(step: &Squares) -> Built {
    let setup = StepSetup::new(step, 17).unwrap();
    let shape = Arc::new(setup.shape().clone());
    let z_in = Fr::from(100);
    let witness = setup.witness(step, &[z_in]).unwrap();
    let counts = shape.multiplicities(&witness.values).counts;
    let place = |mut circuit: Circuit<Fr>| {
        let unrelated = circuit.witness(Fr::from(7));
        circuit.enforce_equal(&unrelated, &Linear::constant(Fr::from(7)));
        circuit.witness(z_in);
        let (placed, outputs) = circuit.step(&shape, vec![Variable::Witness(0, 1)], &witness.values, &counts);
        let output = circuit.public(outputs[0].value());
        circuit.enforce_equal(&output, &outputs[0]);
        (circuit, placed)
    };
    let (recorded, _) = place(Circuit::recorded());
    let (assigned, step) = place(Circuit::assigned());
    let shape = recorded.into_shape().unwrap();
    assert_eq!(assigned.layout(), shape.layout);
    let mut vector = assigned.vector();
    let challenges = lookup::challenge_values(shape.layout.challenges, Fr::from(1234), Fr::from(77));
    step.second_round(&shape.layout, &mut vector, &challenges);
    Built { relation: Relation::new(shape.layout, shape.groups), step, vector, challenges }
}

fn groups(violations: &[Violation]) -> Vec<&str> {
    violations.iter().map(|violation| violation.group.as_str()).collect()
}

#[test]
fn a_step_in_a_circuit_computes_on_the_circuit_s_variables() {
    let built = build(&Squares(vec![(3, 9), (15, 225), (3, 9)]));
    assert_eq!(built.relation.violations(&built.vector, 1), vec![]);
    assert_eq!(built.vector[1], Fr::from(100 + 9 + 225 + 9));
    let mut other_input = built.vector.clone();
    other_input[built.relation.layout().round(0).start + 1] += Fr::ONE;
    assert_eq!(groups(&built.relation.violations(&other_input, 9)), ["sum"]);
}

#[test]
fn each_entry_of_a_step_is_bound() {
    let built = build(&Squares(vec![(3, 9), (4, 16)]));
    for entry in built.relation.layout().challenge().end..built.vector.len() {
        let mut changed = built.vector.clone();
        changed[entry] += Fr::ONE;
        assert_ne!(built.relation.violations(&changed, 1), vec![], "entry {entry} is free");
    }
}

#[test]
fn what_is_not_in_the_table_unbalances_the_sums_whatever_multiplicities_say() {
    let built = build(&Squares(vec![(3, 9), (4, 17)]));
    assert_eq!(groups(&built.relation.violations(&built.vector, 9)), ["lookup sums"]);
    // A prover that claims more of some tuple only moves the sum elsewhere.
    for tuple in 0..16 {
        let mut cheating = built.vector.clone();
        let first = built.relation.layout().round(0).end - 16;
        cheating[first + tuple] += Fr::ONE;
        built.step.second_round(built.relation.layout(), &mut cheating, &built.challenges);
        assert_eq!(groups(&built.relation.violations(&cheating, 9)), ["lookup sums"]);
    }
}

#[test]
fn a_pair_of_two_rows_of_the_table_is_not_in_it() {
    // Both 3 and 16 occur, in different rows: tuples are combined, not their elements looked up one by one.
    let built = build(&Squares(vec![(3, 16)]));
    assert_eq!(groups(&built.relation.violations(&built.vector, 9)), ["lookup sums"]);
}

#[test]
fn summands_that_are_changed_together_are_found() {
    let built = build(&Squares(vec![(3, 9), (4, 17)]));
    // Making the sums equal manually breaks the row that defines the summand.
    let second = built.relation.layout().round(1);
    let mut dishonest = built.vector.clone();
    let sum = |vector: &[Fr]| {
        let (looked_up, table) = vector[second.clone()].split_at(2);
        looked_up.iter().sum::<Fr>() - table.iter().sum::<Fr>()
    };
    let excess = sum(&dishonest);
    dishonest[second.start] -= excess;
    assert_eq!(sum(&dishonest), Fr::ZERO);
    assert_eq!(groups(&built.relation.violations(&dishonest, 9)), ["lookup squares"]);
}
