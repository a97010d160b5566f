//! What the circuits hold, without proofs; and one proof.

use std::sync::Arc;

use elastic_folding::frontend::StepSetup;

use super::*;
use crate::workloads::{and::And, minroot::MinRoot, poseidon::PoseidonChain, trivial::Trivial};

/// Two steps as the plain function has them: satisfied, of so many variables.
fn two_steps_are_as_the_plain_function_has_them<const ARITY: usize, W: Stepped<ARITY>>(
    workload: &W,
    variables: usize,
) {
    let mut z: [Fr; ARITY] = workload.z0().try_into().unwrap();
    let (first, _) = workload.advance(&z, 0);
    let setup = StepSetup::new(&workload.circuit(&first), TABLE).unwrap();
    assert_eq!(setup.shape().variables, variables);
    for index in 0..2 {
        let (advice, next) = workload.advance(&z, index);
        let witness = setup.witness(&workload.circuit(&advice), &z).unwrap();
        setup.check(&witness).unwrap();
        assert_eq!(witness.z_out[..], next);
        z = witness.z_out;
    }
}

#[test]
fn circuits_compute_what_the_plain_functions_do_with_as_few_variables_as_were_thought_of() {
    two_steps_are_as_the_plain_function_has_them(&Trivial, 1);
    two_steps_are_as_the_plain_function_has_them(&MinRoot { iterations: 5 }, 2 + 5);
    two_steps_are_as_the_plain_function_has_them(&PoseidonChain::new(3), 1 + 79 * 3);
    two_steps_are_as_the_plain_function_has_them(&And { pairs: 4 }, 1 + (3 * 16 + 1) * 4);
}

#[test]
fn a_change_of_any_one_variable_breaks_a_constraint_or_a_lookup() {
    breaks_everywhere(&MinRoot { iterations: 3 });
    breaks_everywhere(&PoseidonChain::new(2));
    breaks_everywhere(&And { pairs: 2 });
}

fn breaks_everywhere<const ARITY: usize, W: Stepped<ARITY>>(workload: &W) {
    let z: [Fr; ARITY] = workload.z0().try_into().unwrap();
    let (advice, _) = workload.advance(&z, 0);
    let circuit = workload.circuit(&advice);
    let setup = StepSetup::new(&circuit, TABLE).unwrap();
    let values = setup.witness(&circuit, &z).unwrap().values;
    for at in 0..values.len() {
        let mut changed = values.clone();
        // More than a digit: other digits may have the same in common.
        changed[at] += Fr::from(16);
        assert!(setup.shape().check(&changed).is_err(), "variable {at} may be anything");
    }
}

#[test]
fn a_number_that_is_no_root_satisfies_nothing() {
    let workload = MinRoot { iterations: 3 };
    let (roots, _) = workload.advance(&workload.z0(), 0);
    let z: [Fr; 2] = workload.z0().try_into().unwrap();
    let setup = StepSetup::new(&workload.circuit(&roots), TABLE).unwrap();
    for at in 0..roots.len() {
        let mut wrong = roots.to_vec();
        wrong[at] += Fr::ONE;
        let witness = setup.witness(&workload.circuit(&Arc::from(wrong)), &z).unwrap();
        assert!(setup.check(&witness).is_err(), "root {at} may be anything");
    }
}

#[test]
fn what_was_not_set_up_is_an_error() {
    let mut side = Elastic::new(MinRoot { iterations: 1 }, Backend::BuiltIn);
    assert!(matches!(side.step(&Arc::from([])), Err(Error::NotReady(_))));
    assert!(matches!(side.z(), Err(Error::NotReady(_))));
    assert!(matches!(side.verify(1), Err(Error::NotReady(_))));
    assert!(matches!(side.setup_compress(), Err(Error::NotReady(_))));
    assert!(matches!(side.compress(), Err(Error::NotReady(_))));
    assert!(side.verify_compressed(&[], 1).is_err());
}
