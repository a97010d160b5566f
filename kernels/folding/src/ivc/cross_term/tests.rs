use std::num::NonZeroUsize;
use std::sync::LazyLock;

use halo2curves::ff::Field as _;
use halo2curves::{bn256, grumpkin};

use super::state::State;
use super::{IVC, PublicParams};
use crate::commitment::testing;
use crate::commitment::{CommitmentKey, Curve};
use crate::frontend::trivial;
use crate::ivc::{CircuitPublicParamsInput, Error, Refusal};
use crate::poseidon::{PoseidonRo, Spec};

type Ro = PoseidonRo<5, 4>;
type G = bn256::G1Affine;
type H = grumpkin::G1Affine;
type Step<F> = trivial::Circuit<1, F>;
type Parameters = PublicParams<'static, 1, 1, 5, G, H, Step<bn256::Fr>, Step<bn256::Fq>, Ro, Ro>;

static KEYS: LazyLock<(CommitmentKey<G>, CommitmentKey<H>)> =
    LazyLock::new(|| (testing::on_bn256(14), testing::on_grumpkin(14)));
static STEPS: LazyLock<(Step<bn256::Fr>, Step<bn256::Fq>)> = LazyLock::new(Default::default);
static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| parameters(&KEYS).unwrap());

fn parameters(keys: &'static (CommitmentKey<G>, CommitmentKey<H>)) -> Result<Parameters, Error> {
    PublicParams::new(
        CircuitPublicParamsInput::new(17, &keys.0, Spec::reference().unwrap(), &STEPS.0),
        CircuitPublicParamsInput::new(17, &keys.1, Spec::reference().unwrap(), &STEPS.1),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
    )
}

fn start() -> IVC<1, 1, G, H> {
    let (z, z2) = ([bn256::Fr::from(3)], [bn256::Fq::from(4)]);
    IVC::new(&PARAMETERS, &STEPS.0, z, &STEPS.1, z2, true).unwrap()
}

fn step(ivc: &mut IVC<1, 1, G, H>) {
    ivc.fold_step(&PARAMETERS, &STEPS.0, &STEPS.1).unwrap();
}

#[test]
fn steps_verify_one_after_the_other() {
    let mut ivc = start();
    ivc.verify(&PARAMETERS).unwrap();
    for _ in 0..3 {
        step(&mut ivc);
        ivc.verify(&PARAMETERS).unwrap();
    }
    assert_eq!((ivc.steps(), ivc.outputs()), (4, ([bn256::Fr::from(3)], [bn256::Fq::from(4)])));
}

type Change = (&'static str, fn(&mut State<G, H>));

fn other<C: Curve>(point: &mut C) {
    *point = (point.to_curve() + C::generator()).into();
}

/// Changes to each part of a state alone.
const CHANGES: [Change; 22] = [
    ("steps", |state| state.steps += 1),
    ("primary input", |state| state.primary_start[0] += bn256::Fr::ONE),
    ("primary output", |state| state.primary[0] += bn256::Fr::ONE),
    ("secondary input", |state| state.secondary_start[0] += bn256::Fq::ONE),
    ("secondary output", |state| state.secondary[0] += bn256::Fq::ONE),
    ("primary commitment", |state| other(&mut state.primary_running.accumulator.instance.commitments[0])),
    ("primary public", |state| {
        state.primary_running.accumulator.instance.publics[0] += bn256::Fr::ONE;
    }),
    ("primary scale", |state| state.primary_running.accumulator.scale += bn256::Fr::ONE),
    ("primary error", |state| other(&mut state.primary_running.accumulator.error)),
    ("primary vector", |state| state.primary_running.witness.vector[100] += bn256::Fr::ONE),
    ("primary error vector", |state| state.primary_running.witness.error[100] += bn256::Fr::ONE),
    ("secondary commitment", |state| {
        other(&mut state.secondary_running.accumulator.instance.commitments[0]);
    }),
    ("secondary public", |state| {
        state.secondary_running.accumulator.instance.publics[0] += bn256::Fq::ONE;
    }),
    ("secondary scale", |state| state.secondary_running.accumulator.scale += bn256::Fq::ONE),
    ("secondary error", |state| other(&mut state.secondary_running.accumulator.error)),
    ("secondary vector", |state| state.secondary_running.witness.vector[100] += bn256::Fq::ONE),
    ("secondary error vector", |state| state.secondary_running.witness.error[100] += bn256::Fq::ONE),
    ("last commitment", |state| other(&mut state.last.instance.commitments[0])),
    ("last passed hash", |state| state.last.instance.publics[0] += bn256::Fq::ONE),
    ("last passed hash, high part", |state| state.last.instance.publics[1] += bn256::Fq::ONE),
    ("last own hash", |state| state.last.instance.publics[2] += bn256::Fq::ONE),
    ("last vector", |state| state.last.vector[100] += bn256::Fq::ONE),
];

#[test]
fn a_proof_with_any_part_changed_is_refused() {
    let mut ivc = start();
    step(&mut ivc);
    for (what, change) in CHANGES {
        let mut changed = ivc.clone();
        change(&mut changed.state);
        assert!(matches!(changed.verify(&PARAMETERS), Err(Error::Refused(_))), "{what}");
    }
}

#[test]
fn a_step_over_a_state_with_any_part_changed_is_refused_at_the_end() {
    let mut ivc = start();
    step(&mut ivc);
    for (what, change) in CHANGES {
        let mut changed = ivc.clone();
        change(&mut changed.state);
        step(&mut changed);
        assert!(matches!(changed.verify(&PARAMETERS), Err(Error::Refused(_))), "{what}");
    }
}

/// Before the first step, what is folded has to be nothing. The last instance is not looked at.
#[test]
fn a_first_step_from_a_state_that_is_not_empty_is_refused_at_the_end() {
    let empty = PARAMETERS.parameters.start(vec![bn256::Fr::from(3)], vec![bn256::Fq::from(4)]);
    for (what, change) in CHANGES {
        let mut ivc = start();
        ivc.state = empty.clone();
        change(&mut ivc.state);
        if what.starts_with("last") {
            continue;
        }
        step(&mut ivc);
        assert!(matches!(ivc.verify(&PARAMETERS), Err(Error::Refused(_))), "{what}");
    }
}

#[test]
fn states_of_two_runs_do_not_mix() {
    let (mut ivc, other_start) = (start(), ([bn256::Fr::from(5)], [bn256::Fq::from(6)]));
    let mut other = IVC::new(&PARAMETERS, &STEPS.0, other_start.0, &STEPS.1, other_start.1, false).unwrap();
    step(&mut ivc);
    step(&mut other);
    let mixed = [
        ("primary accumulators", State { primary_running: other.state.primary_running, ..ivc.state.clone() }),
        (
            "secondary accumulators",
            State { secondary_running: other.state.secondary_running, ..ivc.state.clone() },
        ),
        ("last instances", State { last: other.state.last, ..ivc.state.clone() }),
    ];
    for (what, state) in mixed {
        ivc.state = state;
        let refused = matches!(ivc.verify(&PARAMETERS), Err(Error::Refused(Refusal::StateHash)));
        assert!(refused, "{what}");
    }
}

#[test]
fn a_computation_is_of_its_own_parameters() {
    static OTHER: LazyLock<(CommitmentKey<G>, CommitmentKey<H>)> =
        LazyLock::new(|| (CommitmentKey::setup(14, b"other").unwrap(), testing::on_grumpkin(14)));
    let other = parameters(&OTHER).unwrap();
    assert!(matches!(start().verify(&other), Err(Error::OtherParameters)));
}

#[test]
fn a_key_that_is_too_small_is_refused_with_the_size_needed() {
    static SMALL: LazyLock<(CommitmentKey<G>, CommitmentKey<H>)> =
        LazyLock::new(|| (testing::on_bn256(14), testing::on_grumpkin(10)));
    let refused = parameters(&SMALL).err().unwrap();
    assert!(matches!(refused, Error::KeyTooSmall { found: 10, needed: 13, .. }), "{refused}");
}
