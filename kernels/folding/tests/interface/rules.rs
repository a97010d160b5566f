//! The rules that the library's users work by, one by one, through its public interface alone.

use std::num::NonZeroUsize;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use elastic_folding::commitment::CommitmentKey;
use elastic_folding::frontend::{
    self, Advice, AssignedCell, Column, ConstraintSystem, Constraints, Layouter, PlonkError, Rotation,
    Selector, StepCircuit, SynthesisError, Value, trivial,
};
use elastic_folding::ivc::{CircuitPublicParamsInput, Error, IVC, PublicParams, Refusal, Side};
use elastic_folding::poseidon::{PoseidonRo, Spec};
use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::PrimeField;
use halo2curves::{bn256, grumpkin};

use crate::common::{PRIMARY_KEY, SECONDARY_KEY};

type Ro = PoseidonRo<5, 4>;
type C1 = bn256::G1Affine;
type C2 = grumpkin::G1Affine;
type Pp<SC> = PublicParams<'static, 1, 1, 5, C1, C2, SC, trivial::Circuit<1, Fq>, Ro, Ro>;
type Run = IVC<1, 1, C1, C2>;

static TRIVIAL: LazyLock<trivial::Circuit<1, Fq>> = LazyLock::new(trivial::Circuit::default);

/// Parameters of a primary circuit in tables of these sizes, with the trivial circuit as the secondary.
fn set_up_in<SC: StepCircuit<1, Fr>>(circuit: &'static SC, tables: [u32; 2]) -> Result<Pp<SC>, Error> {
    let (primary_key, secondary_key) = (&*PRIMARY_KEY, &*SECONDARY_KEY);
    PublicParams::new(
        CircuitPublicParamsInput::new(tables[0], primary_key, Spec::reference()?, circuit),
        CircuitPublicParamsInput::new(tables[1], secondary_key, Spec::reference()?, &*TRIVIAL),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
    )
}

fn set_up<SC: StepCircuit<1, Fr>>(circuit: &'static SC) -> Result<Pp<SC>, Error> {
    set_up_in(circuit, [17, 17])
}

fn start<SC: StepCircuit<1, Fr>>(pp: &Pp<SC>, circuit: &SC, debug_mode: bool) -> Result<Run, Error> {
    IVC::new(pp, circuit, [Fr::from(2)], &*TRIVIAL, [Fq::from(4)], debug_mode)
}

/// `z_out = z_in^3 + witness`, with what may be wrong about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cubic {
    witness: u64,
    manner: Manner,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// As it should be.
    Honest,
    /// The output is off by one.
    WrongOutput,
    /// The output is that of an input which the step was not given.
    OtherInput,
    /// The gate is enabled one row further down.
    OtherRow,
    /// `process_step` computes something else.
    OtherProcess,
}

const fn cubic(witness: u64) -> Cubic {
    Cubic { witness, manner: Manner::Honest }
}

const fn bad(manner: Manner) -> Cubic {
    Cubic { witness: 1, manner }
}

static CUBIC: Cubic = cubic(1);
static CUBIC_PP: LazyLock<Pp<Cubic>> = LazyLock::new(|| set_up(&CUBIC).unwrap());

type Config = ([Column<Advice>; 3], Selector);

fn columns<F: PrimeField>(cs: &mut ConstraintSystem<F>) -> Config {
    let columns = [cs.advice_column(), cs.advice_column(), cs.advice_column()];
    let enabled = cs.selector();
    cs.enable_equality(columns[0]);
    cs.enable_equality(columns[2]);
    cs.create_gate("cubic", |cells| {
        let [x, witness, y] = columns.map(|column| cells.query_advice(column, Rotation::cur()));
        let cubic = x.clone() * x.clone() * x + witness - y;
        Constraints::with_selector(enabled, vec![("y = x^3 + witness", cubic)])
    });
    (columns, enabled)
}

impl StepCircuit<1, Fr> for Cubic {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Config {
        columns(cs)
    }

    fn synthesize_step(
        &self,
        (columns, enabled): Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let is = |manner| self.manner == manner;
        let output = layouter.assign_region(
            || "cubic",
            |mut region| {
                enabled.enable(&mut region, usize::from(is(Manner::OtherRow)))?;
                let input = z_i[0].value().map(|z| *z + Fr::from(u64::from(is(Manner::OtherInput))));
                let x = region.assign_advice(|| "x", columns[0], 0, || input)?;
                region.constrain_equal(x.cell(), z_i[0].cell())?;
                let witness = Fr::from(self.witness);
                region.assign_advice(|| "witness", columns[1], 0, || Value::known(witness))?;
                let off = Fr::from(u64::from(is(Manner::WrongOutput)));
                let y = input.map(|x| x.square() * x + witness + off);
                region.assign_advice(|| "y", columns[2], 0, || y)
            },
        )?;
        Ok([output])
    }

    fn process_step(&self, z_i: &[Fr; 1], k_table_size: u32) -> Result<[Fr; 1], SynthesisError> {
        assert_eq!(k_table_size, 17);
        let off = Fr::from(u64::from(self.manner == Manner::OtherProcess));
        Ok([z_i[0].square() * z_i[0] + Fr::from(self.witness) + off])
    }
}

/// The state of a computation of these witnesses, computed without a proof.
fn expected(witnesses: &[u64]) -> Fr {
    witnesses.iter().fold(Fr::from(2), |z, witness| z.square() * z + Fr::from(*witness))
}

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
        let pp = PublicParams::<1, 1, 5, _, _, _, _, Ro, Ro>::new(
            CircuitPublicParamsInput::new(17, first, Spec::reference().unwrap(), circuit),
            CircuitPublicParamsInput::new(17, second, Spec::reference().unwrap(), &*TRIVIAL),
            NonZeroUsize::new(68).unwrap(),
            NonZeroUsize::new(4).unwrap(),
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

#[test]
fn rule_08_the_secondary_circuit_may_be_trivial_and_the_oracle_takes_its_constants_as_a_spec() {
    let (primary_key, secondary_key) = (&*PRIMARY_KEY, &*SECONDARY_KEY);
    let pp = PublicParams::<1, 1, 5, C1, C2, _, _, Ro, Ro>::new(
        CircuitPublicParamsInput::new(17, primary_key, Spec::new(8, 60).unwrap(), &CUBIC),
        CircuitPublicParamsInput::new(17, secondary_key, Spec::new(8, 60).unwrap(), &*TRIVIAL),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
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
    let pp = PublicParams::<1, 1, 5, C1, C2, _, _, Ro, Ro>::new(
        CircuitPublicParamsInput::new(17, primary_key, Spec::reference().unwrap(), &Counted),
        CircuitPublicParamsInput::new(17, secondary_key, Spec::reference().unwrap(), &Counted),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
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
