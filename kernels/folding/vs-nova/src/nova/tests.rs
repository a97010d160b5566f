//! What the circuits hold, without proofs.

use std::sync::Arc;

use nova_snark::frontend::{ConstraintSystem, num::AllocatedNum, test_cs::TestConstraintSystem};

use super::*;
use crate::workloads::{and::And, minroot::MinRoot, poseidon::PoseidonChain};

/// Whether a step from `z` with this advice satisfies its constraints, how many those are, and the state after it.
fn step<W: NovaWorkload>(workload: &W, z: &[Fr], advice: &W::Advice) -> (bool, usize, Vec<Fr>) {
    let mut cs = TestConstraintSystem::new();
    let alloc =
        |(at, z): (usize, &Fr)| AllocatedNum::alloc(cs.namespace(|| format!("z {at}")), || Ok(*z)).unwrap();
    let inputs: Vec<_> = z.iter().enumerate().map(alloc).collect();
    let circuit = workload.circuit(advice);
    assert_eq!(circuit.arity(), z.len());
    let outputs = circuit.synthesize(&mut cs, &inputs).unwrap();
    let z = outputs.iter().map(|output| output.get_value().unwrap()).collect();
    (cs.is_satisfied(), cs.num_constraints(), z)
}

fn two_steps_are_as_the_plain_function_has_them<W: NovaWorkload>(workload: &W, constraints: usize) {
    let mut z = workload.z0();
    for index in 0..2 {
        let (advice, next) = workload.advance(&z, index);
        assert_eq!(step(workload, &z, &advice), (true, constraints, next.clone()));
        z = next;
    }
}

#[test]
fn circuits_compute_what_the_plain_functions_do_with_as_few_constraints_as_were_thought_of() {
    two_steps_are_as_the_plain_function_has_them(&MinRoot { iterations: 5 }, 3 * 5);
    two_steps_are_as_the_plain_function_has_them(&PoseidonChain::new(3), 240 * 3);
    two_steps_are_as_the_plain_function_has_them(&And { pairs: 4 }, 3 * 64 * 4 + 1);
}

#[test]
fn a_number_that_is_no_root_satisfies_nothing() {
    let workload = MinRoot { iterations: 3 };
    let (roots, _) = workload.advance(&workload.z0(), 0);
    for at in 0..roots.len() {
        let mut wrong = roots.to_vec();
        wrong[at] += Fr::from(1);
        assert!(!step(&workload, &workload.z0(), &Arc::from(wrong)).0, "root {at} may be anything");
    }
}

#[test]
fn what_was_not_set_up_is_an_error() {
    let mut nova = Nova::new(MinRoot { iterations: 1 });
    assert!(matches!(nova.step(&Arc::from([])), Err(Error::NotReady(_))));
    assert!(matches!(nova.z(), Err(Error::NotReady(_))));
    assert!(matches!(nova.compress(), Err(Error::NotReady(_))));
    assert!(nova.verify_compressed(&[], 1).is_err());
}
