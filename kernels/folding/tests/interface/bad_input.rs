//! What the public interface is given wrongly, and how it says so.

use std::num::NonZeroUsize;

use crate::common::{
    PARAMETERS, PRIMARY_KEY, SAME, SECONDARY_KEY, SECONDARY_Z_0, SQUARE, Same, Square, Z_0, computed, output,
};
use elastic_folding::commitment;
use elastic_folding::frontend;
use elastic_folding::ivc::{Error, Refusal, Side};
use elastic_folding::prelude::bn256::{
    C1Affine, C1Scalar, C2Affine, IVC, Proof, RandomOracle, new_default_pp,
};
use elastic_folding::prelude::{
    AssignedCell, CircuitPublicParamsInput, CommitmentKey, ConstraintSystem, Layouter, PublicParams, Spec,
    StepCircuit, SynthesisError, trivial,
};

fn parameters(secondary_table: u32, primary_table: u32) -> Result<crate::common::Parameters, Error> {
    new_default_pp::<1, _, 1, _>(
        secondary_table,
        &PRIMARY_KEY,
        &SQUARE,
        primary_table,
        &SECONDARY_KEY,
        &*SAME,
    )
}

/// Other parameters of the same circuits.
fn other_parameters() -> crate::common::Parameters {
    parameters(18, 17).unwrap()
}

fn debugged() -> IVC<1, 1> {
    IVC::new(&PARAMETERS, &SQUARE, Z_0, &*SAME, SECONDARY_Z_0, true).unwrap()
}

#[test]
fn the_secondary_tables_size_comes_first() {
    assert_eq!(other_parameters().k_table_sizes(), [17, 18]);
}

#[test]
fn tables_under_size_17_are_refused() {
    for (sizes, side) in [((17, 16), Side::Primary), ((16, 17), Side::Secondary), ((0, 17), Side::Secondary)]
    {
        let error = parameters(sizes.0, sizes.1).map(drop).unwrap_err();
        let Error::Step { curve, source: frontend::Error::TableSize { k_table_size, smallest: 17, .. } } =
            error
        else {
            panic!("{error}")
        };
        assert_eq!((curve, k_table_size), (side, sizes.0.min(sizes.1)));
    }
}

/// The size that the error requests.
fn needed(error: &Error, side: Side, size: usize) -> usize {
    let Error::KeyTooSmall { curve, found, values, needed } = *error else { panic!("{error}") };
    assert_eq!((curve, found), (side, size));
    assert!(1 << (needed - 1) < values && values <= 1 << needed, "{values} values, size {needed}");
    assert!(error.to_string().contains(&format!("need size {needed}")), "{error}");
    needed
}

#[test]
fn a_key_that_is_too_small_is_refused_with_the_size_that_does() {
    let primary = CommitmentKey::<C1Affine>::setup(4, b"bn256").unwrap();
    let secondary = CommitmentKey::<C2Affine>::setup(4, b"grumpkin").unwrap();
    let with = |primary, secondary| {
        new_default_pp::<1, _, 1, _>(17, primary, &SQUARE, 17, secondary, &*SAME).map(drop)
    };
    let first = needed(&with(&primary, &SECONDARY_KEY).unwrap_err(), Side::Primary, 4);
    let second = needed(&with(&PRIMARY_KEY, &secondary).unwrap_err(), Side::Secondary, 4);
    let primary = CommitmentKey::setup(first, b"bn256").unwrap();
    let secondary = CommitmentKey::setup(second, b"grumpkin").unwrap();
    with(&primary, &secondary).unwrap();
    let smaller = CommitmentKey::setup(first - 1, b"bn256").unwrap();
    needed(&with(&smaller, &secondary).unwrap_err(), Side::Primary, first - 1);
}

/// Parameters with this main gate and limbs.
fn with_limbs<const T: usize>(width: usize, count: usize) -> Result<(), Error> {
    PublicParams::<1, 1, T, C1Affine, C2Affine, Square, Same, RandomOracle, RandomOracle>::new(
        CircuitPublicParamsInput::new(17, &PRIMARY_KEY, Spec::reference().unwrap(), &SQUARE),
        CircuitPublicParamsInput::new(17, &SECONDARY_KEY, Spec::reference().unwrap(), &*SAME),
        NonZeroUsize::new(width).unwrap(),
        NonZeroUsize::new(count).unwrap(),
    )
    .map(drop)
}

#[test]
fn limbs_and_main_gates_that_cannot_work_are_refused() {
    assert!(matches!(with_limbs::<5>(68, 1), Err(Error::Limbs(_))));
    assert!(matches!(with_limbs::<5>(1, 4), Err(Error::Limbs(_))));
    assert!(matches!(with_limbs::<5>(usize::MAX, usize::MAX), Err(Error::Limbs(_))));
    assert!(matches!(with_limbs::<0>(68, 4), Err(Error::MainGate)));
}

#[test]
fn other_parameters_than_those_of_the_start_are_refused() {
    let others = other_parameters();
    let mut ivc = computed(2);
    let before = ivc.proof().to_bytes();
    let refused =
        |result: Result<(), Error>| assert!(matches!(result, Err(Error::OtherParameters)), "{result:?}");
    refused(ivc.fold_step(&others, &SQUARE, &*SAME));
    assert_eq!(ivc.proof().to_bytes(), before, "a step that was refused leaves nothing behind");
    refused(ivc.verify(&others));
    refused(ivc.verify_with(&others, 2, &Z_0, &SECONDARY_Z_0).map(drop));
    refused(ivc.proof().verify_with(&others, 2, &Z_0, &SECONDARY_Z_0).map(drop));
    refused(Proof::<1, 1>::from_bytes(&before, &others).map(drop));
    let file = tempfile::NamedTempFile::new().unwrap();
    ivc.save(file.path()).unwrap();
    refused(IVC::<1, 1>::load(file.path(), &others).map(drop));
    ivc.verify(&PARAMETERS).unwrap();
}

#[test]
fn another_key_makes_other_parameters() {
    let key = CommitmentKey::setup(16, b"another").unwrap();
    let others = new_default_pp::<1, _, 1, _>(17, &key, &SQUARE, 17, &SECONDARY_KEY, &*SAME).unwrap();
    assert!(matches!(computed(1).verify(&others), Err(Error::OtherParameters)));
}

#[test]
fn a_proof_of_another_arity_is_refused() {
    let wide = trivial::Circuit::<2, C1Scalar>::default();
    let pp = new_default_pp::<2, _, 1, _>(17, &PRIMARY_KEY, &wide, 17, &SECONDARY_KEY, &*SAME).unwrap();
    let read = Proof::<2, 1>::from_bytes(&computed(1).proof().to_bytes(), &pp);
    assert!(matches!(read, Err(Error::OtherParameters)));
}

#[test]
fn another_number_of_steps_or_another_start_is_refused() {
    let ivc = computed(3);
    let refusal = |steps, z_0: [C1Scalar; 1], secondary_z_0| {
        let verified = ivc.verify_with(&PARAMETERS, steps, &z_0, &secondary_z_0);
        let proved = ivc.proof().verify_with(&PARAMETERS, steps, &z_0, &secondary_z_0);
        let [Err(Error::Refused(refusal)), Err(Error::Refused(same))] = [verified, proved] else {
            panic!("not refused")
        };
        assert_eq!(refusal, same);
        refusal
    };
    for steps in [0, 1, 2, 4, u64::MAX] {
        assert_eq!(refusal(steps, Z_0, SECONDARY_Z_0), Refusal::Steps { found: 3 });
    }
    assert_eq!(refusal(3, [C1Scalar::from(2)], SECONDARY_Z_0), Refusal::Start(Side::Primary));
    assert_eq!(refusal(3, Z_0, [SECONDARY_Z_0[0].double()]), Refusal::Start(Side::Secondary));
    let outputs = ivc.verify_with(&PARAMETERS, 3, &Z_0, &SECONDARY_Z_0).unwrap();
    assert_eq!(outputs, (output(3), SECONDARY_Z_0));
}

const WRONG: Square = Square { witness: 7, excess: 1 };

#[test]
fn reports_a_step_that_does_not_satisfy_its_circuit_at_once_in_debug_mode() {
    let mut ivc = debugged();
    ivc.fold_step(&PARAMETERS, &SQUARE, &*SAME).unwrap();
    let before = ivc.proof().to_bytes();
    let error = ivc.fold_step(&PARAMETERS, &WRONG, &*SAME).unwrap_err();
    let message = error.to_string();
    let Error::Unsatisfied { step: 2, curve: Side::Primary, violations } = error else { panic!("{message}") };
    assert!(violations.contains("gate 'square', constraint 'y = x^2 + w'"), "{violations}");
    let cell = violations.lines().find(|line| line.contains("advice column 1")).unwrap();
    assert!(cell.contains("row 0") && cell.contains("07"), "{violations}");
    assert_eq!(ivc.proof().to_bytes(), before, "the computation is unchanged");
    ivc.fold_step(&PARAMETERS, &Square { excess: 0, ..WRONG }, &*SAME).unwrap();
    ivc.verify(&PARAMETERS).unwrap();

    let start = IVC::new(&PARAMETERS, &WRONG, Z_0, &*SAME, SECONDARY_Z_0, true).map(drop);
    assert!(matches!(start, Err(Error::Unsatisfied { step: 0, .. })), "{start:?}");
}

#[test]
fn without_debug_mode_it_surfaces_at_verification_however_many_steps_follow() {
    let mut ivc = computed(2);
    ivc.fold_step(&PARAMETERS, &WRONG, &*SAME).unwrap();
    for _ in 0..3 {
        let verified = ivc.verify(&PARAMETERS);
        assert!(matches!(verified, Err(Error::Refused(_))), "{verified:?}");
        ivc.fold_step(&PARAMETERS, &SQUARE, &*SAME).unwrap();
    }
    let proof = Proof::<1, 1>::from_bytes(&ivc.proof().to_bytes(), &PARAMETERS).unwrap();
    assert!(proof.verify_with(&PARAMETERS, 6, &Z_0, &SECONDARY_Z_0).is_err());

    let start = IVC::new(&PARAMETERS, &WRONG, Z_0, &*SAME, SECONDARY_Z_0, false).unwrap();
    assert!(matches!(start.verify(&PARAMETERS), Err(Error::Refused(Refusal::LastInstance))));
}

#[test]
fn a_cached_key_that_is_damaged_or_of_the_other_curve_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // SAFETY: the folder is this test's own.
    #[expect(unsafe_code, reason = "the function under test is unsafe to call")]
    let (load, load_other) = (
        || unsafe { CommitmentKey::<C1Affine>::load_or_setup_cache(folder.path(), "bn256", 5) },
        // SAFETY: as above.
        || unsafe { CommitmentKey::<C2Affine>::load_or_setup_cache(folder.path(), "bn256", 5) },
    );
    load().unwrap();
    let foreign = load_other().unwrap_err();
    assert!(matches!(foreign, commitment::Error::CurveLabel { curve: "grumpkin", .. }));
    let path = folder.path().join("bn256").join("5.bin");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let damaged = load().unwrap_err();
    assert!(matches!(damaged, commitment::Error::Cache { fault: commitment::CacheFault::Digest, .. }));
    assert!(damaged.to_string().contains("5.bin"), "{damaged}");
}

/// A circuit that computes something else than it says it does, or has an instance column.
#[derive(Clone, Copy, Debug)]
struct Odd<const INSTANCE: bool>;

impl<const INSTANCE: bool> StepCircuit<1, C1Scalar> for Odd<INSTANCE> {
    type Config = ();

    fn configure(cs: &mut ConstraintSystem<C1Scalar>) {
        if INSTANCE {
            cs.instance_column();
        }
    }

    fn synthesize_step(
        &self,
        (): (),
        _: &mut impl Layouter<C1Scalar>,
        z_i: &[AssignedCell<C1Scalar, C1Scalar>; 1],
    ) -> Result<[AssignedCell<C1Scalar, C1Scalar>; 1], SynthesisError> {
        Ok(z_i.clone())
    }

    fn process_step(&self, z_i: &[C1Scalar; 1], _: u32) -> Result<[C1Scalar; 1], SynthesisError> {
        Ok([z_i[0] + C1Scalar::one()])
    }
}

#[test]
fn in_debug_mode_a_process_step_that_computes_something_else_is_refused() {
    let odd = Odd::<false>;
    let pp = new_default_pp::<1, _, 1, _>(17, &PRIMARY_KEY, &odd, 17, &SECONDARY_KEY, &*SAME).unwrap();
    let start = IVC::new(&pp, &odd, Z_0, &*SAME, SECONDARY_Z_0, true).map(drop);
    assert!(matches!(start, Err(Error::Processed { step: 0, curve: Side::Primary })), "{start:?}");
    IVC::new(&pp, &odd, Z_0, &*SAME, SECONDARY_Z_0, false).unwrap().verify(&pp).unwrap();
}

#[test]
#[should_panic(expected = "instance columns cannot be used in a step circuit")]
fn instance_columns_abort() {
    let odd = Odd::<true>;
    let _ = new_default_pp::<1, _, 1, _>(17, &PRIMARY_KEY, &odd, 17, &SECONDARY_KEY, &*SAME);
}
