//! Rule 7: when a step that violates a gate is refused.

use elastic_folding::ivc::{Error, Side};

use super::cubic::{CUBIC, CUBIC_PP, Manner, bad, expected};
use super::{TRIVIAL, start};

#[test]
fn rule_07_with_debug_mode_a_step_that_violates_a_gate_fails_at_that_step() {
    let mut run = start(&CUBIC_PP, &CUBIC, true).unwrap();
    run.fold_step(&CUBIC_PP, &CUBIC, &TRIVIAL).unwrap();
    match run.fold_step(&CUBIC_PP, &bad(Manner::WrongOutput), &TRIVIAL) {
        Err(Error::Unsatisfied { step: 2, curve: Side::Primary, violations }) => {
            assert!(violations.contains("y = x^3 + witness"), "{violations}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!((run.steps(), run.primary_output()), (2, [expected(&[1, 1])]));
    run.verify(&CUBIC_PP).unwrap();
    let first = start(&CUBIC_PP, &bad(Manner::WrongOutput), true).map(|_| ());
    assert!(matches!(first, Err(Error::Unsatisfied { step: 0, .. })), "{first:?}");
}

#[test]
fn rule_07_without_debug_mode_a_step_that_violates_a_gate_surfaces_at_verify() {
    for wrong_at in 0..3 {
        let circuit = |step| if step == wrong_at { bad(Manner::WrongOutput) } else { CUBIC };
        let mut run = start(&CUBIC_PP, &circuit(0), false).unwrap();
        for step in 1..3 {
            run.fold_step(&CUBIC_PP, &circuit(step), &TRIVIAL).unwrap();
        }
        let verified = run.verify(&CUBIC_PP);
        assert!(matches!(verified, Err(Error::Refused(_))), "wrong at {wrong_at}: {verified:?}");
    }
}
