//! Random circuits against the front end's mock prover.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use proptest::prelude::*;

use super::super::*;
use super::mock::Mocked;
use super::planned::Plan;

/// Whether our check accepts a step of the plan, in the smallest table that the mock prover takes.
fn accepts(setup: &StepSetup<2, Fr, Plan>, plan: &Plan) -> bool {
    let witness = setup.witness(plan, &plan.z_in).unwrap();
    setup.check(&witness).is_ok()
}

fn setup(plan: &Plan) -> StepSetup<2, Fr, Plan> {
    plan.install();
    StepSetup::with_any_table(plan, Mocked::new(plan, plan.z_in).k()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn a_step_that_satisfies_its_circuit_is_accepted_as_by_the_mock_prover(seed: u64) {
        let plan = Plan::new(seed);
        let setup = setup(&plan);
        prop_assert!(Mocked::new(&plan, plan.z_in).accepts());
        prop_assert!(accepts(&setup, &plan));
    }

    #[test]
    fn a_step_with_one_other_cell_is_refused_where_the_mock_prover_refuses_it(seed: u64, cells: [u64; 4]) {
        let mut plan = Plan::new(seed);
        let setup = setup(&plan);
        for cell in cells {
            plan.corrupt(cell, Fr::ONE);
            prop_assert_eq!(accepts(&setup, &plan), Mocked::new(&plan, plan.z_in).accepts(), "{:?}", plan.corrupted);
        }
    }
}

#[test]
fn corruptions_that_are_refused_and_ones_that_are_not_both_occur() {
    let mut refused = 0;
    for seed in 0..40 {
        let mut plan = Plan::new(seed);
        let setup = setup(&plan);
        plan.corrupt(seed * 7, Fr::ONE);
        refused += usize::from(!accepts(&setup, &plan));
    }
    assert!((5..36).contains(&refused), "{refused} of 40 refused");
}
