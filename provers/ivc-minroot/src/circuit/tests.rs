use elastic_folding::frontend::StepSetup;

use super::*;
use crate::{Evaluation, evaluate};

const START: [Fr; 2] = [Fr::ZERO, Fr::ONE];

fn setup(iterations: usize) -> StepSetup<2, Fr, MinRootCircuit> {
    StepSetup::new(&MinRootCircuit::of_iterations(iterations), 17).unwrap()
}

#[test]
fn a_step_satisfies_the_circuit_and_ends_where_the_function_does() {
    let setup = setup(5);
    let mut z = START;
    for _ in 0..2 {
        let Evaluation { roots, output } = evaluate(z, 5);
        let witness = setup.witness(&MinRootCircuit::new(roots), &z).unwrap();
        setup.check(&witness).unwrap();
        assert_eq!(witness.z_out, output);
        z = output;
    }
}

#[test]
fn an_iteration_takes_one_variable_and_one_row_of_degree_five() {
    for iterations in [1, 7, 1024] {
        let setup = setup(iterations);
        let shape = setup.shape();
        assert_eq!(shape.variables, 2 + iterations);
        let [gate] = &shape.gates[..] else { panic!("there is one gate") };
        assert_eq!((gate.rows.len(), gate.expressions.len(), gate.degree), (iterations, 1, 5));
    }
}

#[test]
fn a_number_that_is_no_root_satisfies_nothing() {
    let Evaluation { roots, .. } = evaluate(START, 4);
    for at in 0..roots.len() {
        let mut wrong = roots.to_vec();
        wrong[at] += Fr::ONE;
        let setup = setup(4);
        let witness = setup.witness(&MinRootCircuit::new(wrong.into()), &START).unwrap();
        assert!(setup.check(&witness).is_err(), "root {at} may be anything");
    }
}

#[test]
fn roots_from_elsewhere_satisfy_nothing() {
    let Evaluation { roots, output } = evaluate(START, 4);
    let setup = setup(4);
    let witness = setup.witness(&MinRootCircuit::new(roots), &output).unwrap();
    assert!(setup.check(&witness).is_err());
}

#[test]
fn a_step_of_other_iterations_than_at_set_up_is_refused() {
    let Evaluation { roots, .. } = evaluate(START, 3);
    assert!(setup(4).witness(&MinRootCircuit::new(roots), &START).is_err());
}

#[test]
fn a_step_of_no_iterations_is_its_input() {
    let setup = setup(0);
    let witness = setup.witness(&MinRootCircuit::of_iterations(0), &START).unwrap();
    assert_eq!(witness.z_out, START);
}
