//! Rules of the set-up: what it takes, and what it refuses.

use std::sync::atomic::{AtomicUsize, Ordering};

use elastic_folding::commitment::CommitmentKey;
use elastic_folding::frontend::{
    self, AssignedCell, ConstraintSystem, Layouter, StepCircuit, SynthesisError,
};
use elastic_folding::ivc::{CircuitPublicParamsInput, Error, IVC, Side};
use elastic_folding::poseidon::Spec;
use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::PrimeField;

use super::cubic::{CUBIC, CUBIC_PP, Config, Cubic, columns, cubic};
use super::{C1, C2, TRIVIAL, parameters, set_up, set_up_in, start};
use crate::common::{PRIMARY_KEY, SECONDARY_KEY};

#[test]
fn rule_01_what_is_set_up_does_not_depend_on_the_circuit_s_input() {
    static OTHER: Cubic = cubic(77);
    let other = set_up(&OTHER).unwrap();
    assert_eq!(CUBIC_PP.digest(), other.digest());
    let mut run = start(&CUBIC_PP, &CUBIC, true).unwrap();
    run.fold_step(&other, &OTHER, &TRIVIAL).unwrap();
    run.verify(&CUBIC_PP).unwrap();
    run.verify(&other).unwrap();
}

#[test]
fn rule_06_a_table_has_seventeen_bits_at_least_and_the_key_holds_what_is_committed_to() {
    for tables in [[16, 17], [17, 16], [0, 17]] {
        let refused = set_up_in(&CUBIC, tables).map(|_| ()).unwrap_err();
        let Error::Step { curve, source: frontend::Error::TableSize { k_table_size, smallest: 17, .. } } =
            refused
        else {
            panic!("{refused}")
        };
        let expected = if tables[0] < 17 { (Side::Primary, tables[0]) } else { (Side::Secondary, tables[1]) };
        assert_eq!((curve, k_table_size), expected);
    }
    let unequal = set_up_in(&CUBIC, [17, 18]).unwrap();
    assert_eq!(unequal.k_table_sizes(), [17, 18]);
    assert_ne!(unequal.digest(), set_up_in(&CUBIC, [18, 17]).unwrap().digest());
    // A key of 2^19 is enough for tables of 2^17: it is cells in use that are committed to.
    assert!(unequal.committed_values().iter().all(|values| *values < 1 << 19));
}

#[test]
fn rule_06_a_key_that_is_too_small_is_refused_with_the_size_needed() {
    let small = (
        CommitmentKey::<C1>::setup(8, b"bn256").unwrap(),
        CommitmentKey::<C2>::setup(8, b"grumpkin").unwrap(),
    );
    let (primary_key, secondary_key) = (&*PRIMARY_KEY, &*SECONDARY_KEY);
    let refusal = |first, second| {
        let circuit = &CUBIC;
        let pp = parameters(
            CircuitPublicParamsInput::new(17, first, Spec::reference().unwrap(), circuit),
            CircuitPublicParamsInput::new(17, second, Spec::reference().unwrap(), &*TRIVIAL),
        );
        match pp.map(|_| ()) {
            Err(Error::KeyTooSmall { curve, found, values, needed }) => {
                assert_eq!(found, 8);
                assert!(1 << (needed - 1) < values && values <= 1 << needed, "{values} need {needed}");
                (curve, needed)
            }
            other => panic!("{other:?}"),
        }
    };
    let (side, needed) = refusal(&small.0, secondary_key);
    assert!(side == Side::Primary && needed <= 16);
    let (side, needed) = refusal(primary_key, &small.1);
    assert!(side == Side::Secondary && needed <= 13);
}

#[test]
fn rule_08_the_secondary_circuit_may_be_trivial_and_the_oracle_takes_its_constants_as_a_spec() {
    let (primary_key, secondary_key) = (&*PRIMARY_KEY, &*SECONDARY_KEY);
    let pp = parameters(
        CircuitPublicParamsInput::new(17, primary_key, Spec::new(8, 60).unwrap(), &CUBIC),
        CircuitPublicParamsInput::new(17, secondary_key, Spec::new(8, 60).unwrap(), &*TRIVIAL),
    )
    .unwrap();
    // 8 and 60 rounds are the reference for this width.
    assert_eq!(pp.digest(), CUBIC_PP.digest());
    let mut run = IVC::new(&pp, &CUBIC, [Fr::from(2)], &*TRIVIAL, [Fq::from(4)], true).unwrap();
    run.fold_step(&pp, &CUBIC, &TRIVIAL).unwrap();
    run.verify(&pp).unwrap();
    assert_eq!(run.secondary_output(), [Fq::from(4)]);
}

/// Counts how often it is configured and synthesized.
#[derive(Clone, Copy, Debug)]
struct Counted;

static CONFIGURED: AtomicUsize = AtomicUsize::new(0);
static SYNTHESIZED: AtomicUsize = AtomicUsize::new(0);

impl<F: PrimeField> StepCircuit<1, F> for Counted {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<F>) -> Config {
        CONFIGURED.fetch_add(1, Ordering::SeqCst);
        columns(cs)
    }

    fn synthesize_step(
        &self,
        _: Config,
        _: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; 1],
    ) -> Result<[AssignedCell<F, F>; 1], SynthesisError> {
        SYNTHESIZED.fetch_add(1, Ordering::SeqCst);
        Ok(z_i.clone())
    }
}

#[test]
fn rule_09_set_up_lays_both_circuits_out_and_no_step_configures_again() {
    let (primary_key, secondary_key) = (&*PRIMARY_KEY, &*SECONDARY_KEY);
    let pp = parameters(
        CircuitPublicParamsInput::new(17, primary_key, Spec::reference().unwrap(), &Counted),
        CircuitPublicParamsInput::new(17, secondary_key, Spec::reference().unwrap(), &Counted),
    )
    .unwrap();
    let counts = || (CONFIGURED.load(Ordering::SeqCst), SYNTHESIZED.load(Ordering::SeqCst));
    let (configured, synthesized) = counts();
    assert!(configured >= 2 && synthesized >= 2, "{configured} {synthesized}");
    let mut run = IVC::new(&pp, &Counted, [Fr::from(2)], &Counted, [Fq::from(4)], false).unwrap();
    run.fold_step(&pp, &Counted, &Counted).unwrap();
    run.verify(&pp).unwrap();
    assert_eq!(counts(), (configured, synthesized + 4), "each step lays out each circuit once");
}

/// A circuit with an instance column.
#[derive(Clone, Copy, Debug)]
struct WithInstance;

impl StepCircuit<1, Fr> for WithInstance {
    type Config = ();

    fn configure(cs: &mut ConstraintSystem<Fr>) {
        cs.instance_column();
    }

    fn synthesize_step(
        &self,
        (): (),
        _: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        Ok(z_i.clone())
    }
}

#[test]
#[should_panic(expected = "instance columns cannot be used in a step circuit")]
fn rule_10_an_instance_column_aborts_with_the_documented_message() {
    let _ = set_up(&WithInstance);
}
