//! Rules of the steps: what ties one to the last, and what a circuit may change between them.

use elastic_folding::frontend::{
    self, AssignedCell, ConstraintSystem, Layouter, PlonkError, StepCircuit, SynthesisError,
};
use elastic_folding::ivc::{Error, Refusal, Side};
use halo2curves::bn256::{Fq, Fr};

use super::cubic::{CUBIC, CUBIC_PP, Config, Manner, bad, columns, cubic, expected};
use super::{TRIVIAL, set_up, start};

#[test]
fn rule_02_a_step_s_input_is_the_last_step_s_output_and_only_the_first_is_given() {
    let mut run = start(&CUBIC_PP, &CUBIC, true).unwrap();
    assert_eq!(run.primary_output(), [expected(&[1])]);
    for steps in 2..=4 {
        run.fold_step(&CUBIC_PP, &CUBIC, &TRIVIAL).unwrap();
        assert_eq!(run.primary_output(), [expected(&vec![1; steps])]);
        assert_eq!(run.secondary_output(), [Fq::from(4)]);
    }
    let outputs = run.verify_with(&CUBIC_PP, 4, &[Fr::from(2)], &[Fq::from(4)]).unwrap();
    assert_eq!(outputs, ([expected(&[1; 4])], [Fq::from(4)]));
}

/// A circuit that leaves `process_step` as it is by default.
#[derive(Clone, Copy, Debug)]
struct ByDefault;

impl StepCircuit<1, Fr> for ByDefault {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Config {
        columns(cs)
    }

    fn synthesize_step(
        &self,
        config: Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        cubic(5).synthesize_step(config, layouter, z_i)
    }
}

#[test]
fn rule_03_process_step_computes_what_synthesize_step_does() {
    assert_eq!(ByDefault.process_step(&[Fr::from(2)], 17).unwrap(), [expected(&[5])]);
    let mut run = start(&CUBIC_PP, &CUBIC, true).unwrap();
    match run.fold_step(&CUBIC_PP, &bad(Manner::OtherProcess), &TRIVIAL) {
        Err(Error::Processed { step: 1, curve: Side::Primary }) => {}
        other => panic!("{other:?}"),
    }
    // The function is that of synthesize_step, which is what is proved.
    let mut run = start(&CUBIC_PP, &CUBIC, false).unwrap();
    run.fold_step(&CUBIC_PP, &bad(Manner::OtherProcess), &TRIVIAL).unwrap();
    run.verify(&CUBIC_PP).unwrap();
    assert_eq!(run.primary_output(), [expected(&[1, 1])]);
}

#[test]
fn rule_04_a_gate_enabled_at_another_row_is_refused_at_that_step() {
    for debug_mode in [false, true] {
        let mut run = start(&CUBIC_PP, &CUBIC, debug_mode).unwrap();
        match run.fold_step(&CUBIC_PP, &bad(Manner::OtherRow), &TRIVIAL) {
            Err(Error::Step { curve: Side::Primary, source: frontend::Error::LayoutChanged(region) }) => {
                assert_eq!(region, "cubic");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(run.steps(), 1);
        run.verify(&CUBIC_PP).unwrap();
        run.fold_step(&CUBIC_PP, &CUBIC, &TRIVIAL).unwrap();
        run.verify(&CUBIC_PP).unwrap();
    }
}

/// A circuit that copies its input into a column without equality enabled.
#[derive(Clone, Copy, Debug)]
struct WithoutEquality;

impl StepCircuit<1, Fr> for WithoutEquality {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Config {
        columns(cs)
    }

    fn synthesize_step(
        &self,
        (columns, _): Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let copy =
            |mut region: frontend::Region<'_, Fr>| z_i[0].copy_advice(|| "", &mut region, columns[1], 0);
        Ok([layouter.assign_region(|| "copy", copy)?])
    }
}

#[test]
fn rule_05_inputs_are_tied_into_the_circuit_by_copies() {
    let refused = set_up(&WithoutEquality).map(|_| ()).unwrap_err();
    let Error::Step {
        curve: Side::Primary,
        source: frontend::Error::Synthesis(SynthesisError::Halo2(error)),
    } = refused
    else {
        panic!("{refused}")
    };
    assert!(matches!(error, PlonkError::ColumnNotInPermutation(_)), "{error}");
    // A step on another input than the last output.
    let mut run = start(&CUBIC_PP, &CUBIC, true).unwrap();
    let step = run.fold_step(&CUBIC_PP, &bad(Manner::OtherInput), &TRIVIAL);
    assert!(matches!(step, Err(Error::Unsatisfied { step: 1, .. })), "{step:?}");
    let mut run = start(&CUBIC_PP, &CUBIC, false).unwrap();
    run.fold_step(&CUBIC_PP, &bad(Manner::OtherInput), &TRIVIAL).unwrap();
    assert!(matches!(run.verify(&CUBIC_PP), Err(Error::Refused(Refusal::LastInstance))));
}

#[test]
fn rule_11_the_primary_circuit_s_witness_may_change_between_steps() {
    let witnesses = [7, 0, 123_456_789, 7];
    let mut circuit = cubic(witnesses[0]);
    let mut run = start(&CUBIC_PP, &circuit, true).unwrap();
    for witness in &witnesses[1..] {
        circuit.witness = *witness;
        run.fold_step(&CUBIC_PP, &circuit, &TRIVIAL).unwrap();
    }
    let (outputs, _) = run.verify_with(&CUBIC_PP, 4, &[Fr::from(2)], &[Fq::from(4)]).unwrap();
    assert_eq!(outputs, [expected(&witnesses)]);
}
