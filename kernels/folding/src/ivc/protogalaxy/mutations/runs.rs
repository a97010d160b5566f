//! Real computations, with all that each execution was made of, so that a test can make it again with overridden variables.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::OnceLock;

use halo2curves::ff::{Field as _, PrimeField};
use halo2curves::group::prime::PrimeCurveAffine as _;
use halo2curves::{bn256, grumpkin};

use super::steps::{Mixed, OWN};
use crate::circuit::{Circuit, PlacedStep, Variable};
use crate::commitment::{CommitmentKey, testing};
use crate::cross_term;
use crate::frontend::{StepCircuit, StepSetup, trivial};
use crate::gadgets::bits::low_number_of;
use crate::ivc::protogalaxy::circuit::AugmentedStepWitness;
use crate::ivc::protogalaxy::coprocessor;
use crate::ivc::protogalaxy::parameters::Parameters;
use crate::ivc::protogalaxy::state::State;
use crate::ivc::step::StepValues;
use crate::ivc::{CircuitPublicParamsInput, PublicParams};
use crate::poseidon::RandomOracleFor;
use crate::poseidon::watched::WatchedRo;
use crate::protogalaxy::{self, Proof};
use crate::relation::{Instance, Relation};

pub(super) type C1 = bn256::G1Affine;
pub(super) type C2 = grumpkin::G1Affine;
/// Scalars of the primary circuit.
pub(super) type F = bn256::Fr;
/// Scalars of the secondary circuit.
pub(super) type N = bn256::Fq;
pub(super) type Ro = WatchedRo;

pub(super) type AllParameters = Parameters<'static, C1, C2, Ro>;

/// A computation, and its executions 0, 1 and 3.
pub(super) struct Run {
    pub(super) name: &'static str,
    pub(super) parameters: AllParameters,
    pub(super) executions: Vec<Execution>,
}

/// All that one execution was made of.
#[derive(Clone)]
pub(super) struct Execution {
    /// The state before, without its vectors.
    pub(super) before: State<C1, C2>,
    /// The state after, without its vectors.
    pub(super) after: State<C1, C2>,
    pub(super) parameters: F,
    pub(super) fold: Proof<F>,
    pub(super) folded: Vec<C1>,
    pub(super) coprocessor: Instance<C2>,
    pub(super) terms: Vec<C2>,
    /// Each accumulated commitment, with the latest one, as the co-processor has them.
    pub(super) commitments: Vec<[C1; 2]>,
    pub(super) gamma: u128,
    pub(super) primary: Step<F>,
    pub(super) secondary: Step<N>,
    /// The vectors of both circuits.
    pub(super) primary_vector: Vec<F>,
    pub(super) secondary_vector: Vec<N>,
}

/// A step's values.
#[derive(Clone)]
pub(super) struct Step<F> {
    pub(super) values: Vec<F>,
    pub(super) multiplicities: Vec<Vec<u64>>,
    pub(super) z_out: Vec<F>,
}

/// Values of a circuit's variables in the place of those that an honest prover computes.
pub(super) type Overrides<F> = HashMap<Variable, F>;

/// Steps that compute nothing, and steps with custom gates and lookups, on both sides.
pub(super) fn runs() -> &'static [Run; 2] {
    static RUNS: OnceLock<[Run; 2]> = OnceLock::new();
    RUNS.get_or_init(|| {
        let nothing = Box::leak(Box::new([trivial::Circuit::<1, F>::default(); 4]));
        let nothing2 = Box::leak(Box::new([trivial::Circuit::<1, N>::default(); 4]));
        [run("trivial steps", nothing, [F::from(3)], nothing2, [N::from(4)]), mixed()]
    })
}

/// A computation of steps with custom gates and lookups.
pub(super) fn mixed() -> Run {
    let steps = [[1, 2, 3, 4], [11, 0, 0, 7], [2, 2, 2, 2], [9, 8, 10, 5]].map(|numbers| Mixed { numbers });
    let steps = Box::leak(Box::new(steps));
    run("steps with gates and lookups", steps, [7, 8].map(F::from), steps, [9, 10].map(N::from))
}

/// Both runs' executions, with what they are called.
pub(super) fn executions() -> impl Iterator<Item = (&'static Run, &'static Execution, String)> {
    runs().iter().flat_map(|run| {
        run.executions.iter().map(move |execution| {
            let name = format!("{}, execution {}", run.name, execution.before.steps);
            (run, execution, name)
        })
    })
}

fn keys() -> &'static (CommitmentKey<C1>, CommitmentKey<C2>) {
    static KEYS: OnceLock<(CommitmentKey<C1>, CommitmentKey<C2>)> = OnceLock::new();
    KEYS.get_or_init(|| (testing::on_bn256(17), testing::on_grumpkin(14)))
}

fn run<const A1: usize, const A2: usize, S1: StepCircuit<A1, F>, S2: StepCircuit<A2, N>>(
    name: &'static str,
    primary: &'static [S1; 4],
    z: [F; A1],
    secondary: &'static [S2; 4],
    z2: [N; A2],
) -> Run {
    let (key, key2) = keys();
    let limbs = [68, 4].map(|number| NonZeroUsize::new(number).unwrap());
    let constants =
        (<Ro as RandomOracleFor<F>>::reference().unwrap(), <Ro as RandomOracleFor<N>>::reference().unwrap());
    let pp = PublicParams::<A1, A2, 5, C1, C2, S1, S2, Ro, Ro>::new(
        CircuitPublicParamsInput::new(17, key, constants.0, &primary[0]),
        CircuitPublicParamsInput::new(17, key2, constants.1, &secondary[0]),
        limbs[0],
        limbs[1],
    )
    .unwrap();
    let (setup, setup2, parameters) = (pp.primary, pp.secondary, pp.parameters);
    let mut state = parameters.start(z.to_vec(), z2.to_vec());
    let mut executions = Vec::new();
    for (primary, secondary) in primary.iter().zip(secondary) {
        let (step, step2) =
            (made(&setup, primary, &state.primary), made(&setup2, secondary, &state.secondary));
        let before = state.clone();
        parameters
            .advance(
                &mut state,
                step.of(&parameters.primary.step),
                step.z_out.clone(),
                step2.of(&parameters.secondary.step),
                step2.z_out.clone(),
            )
            .unwrap();
        let violations = parameters.primary.relation.violations(&state.latest_vector, 3);
        assert_eq!(violations, vec![], "{name}, execution {}", before.steps);
        assert_eq!(
            parameters.verify(&state).map_err(|error| error.to_string()),
            Ok(()),
            "{name}, {}",
            state.steps
        );
        if before.steps != 2 {
            executions.push(execution(&parameters, before, state.clone(), step, step2));
        }
    }
    Run { name, parameters, executions }
}

fn made<const A: usize, F: PrimeField, S: StepCircuit<A, F>>(
    setup: &StepSetup<A, F, S>,
    circuit: &S,
    z: &[F],
) -> Step<F> {
    let witness = setup.witness(circuit, z.try_into().unwrap()).unwrap();
    let multiplicities = setup.shape().multiplicities(&witness.values).counts;
    Step { values: witness.values, multiplicities, z_out: witness.z_out.to_vec() }
}

impl<F> Step<F> {
    fn of<'a>(&'a self, shape: &'a std::sync::Arc<crate::frontend::StepShape<F>>) -> StepValues<'a, F> {
        StepValues { shape, values: &self.values, multiplicities: &self.multiplicities }
    }
}

/// The execution between two states, made a second time, part by part.
fn execution(
    parameters: &AllParameters,
    before: State<C1, C2>,
    mut after: State<C1, C2>,
    primary: Step<F>,
    secondary: Step<N>,
) -> Execution {
    let mut oracle = parameters.hashes.fold_oracle(&before);
    let (fold, gamma) = if before.steps > 1 {
        let old = (&before.accumulator, before.accumulator_vector.as_slice());
        let new = [(&before.latest, before.latest_vector.as_slice())];
        let folded = protogalaxy::prove(&parameters.primary.relation, old, &new, &mut oracle);
        (folded.proof, folded.gamma)
    } else {
        let shape = parameters.primary.fold;
        let proof = Proof::empty(&shape);
        let challenged = protogalaxy::challenge(shape, &before.accumulator, &proof, &mut oracle);
        (proof, challenged.gamma)
    };
    let old = if before.steps > 1 { &before.accumulator.instance } else { &before.latest };
    let pairs = old.commitments.iter().zip(&before.latest.commitments);
    let mut execution = Execution {
        fold,
        folded: after.accumulator.instance.commitments.clone(),
        commitments: pairs.map(|(old, new)| [*old, *new]).collect(),
        gamma: low_number_of(&gamma),
        parameters: parameters.hashes.digest,
        coprocessor: Instance { commitments: vec![], publics: vec![], challenges: vec![] },
        terms: vec![],
        primary_vector: std::mem::take(&mut after.latest_vector),
        secondary_vector: vec![],
        primary,
        secondary,
        after: after.clone(),
        before: before.clone(),
    };
    let mut circuit = Circuit::assigned();
    let placed = coprocessor::build(&mut circuit, &execution.inputs(parameters));
    (execution.coprocessor, execution.secondary_vector) = instance(parameters, &circuit, &placed);
    let relaxed = &parameters.secondary.relaxed;
    let mut witness = before.secondary_witness.clone();
    let (proof, _) = cross_term::prove(
        relaxed,
        &mut witness,
        &execution.secondary_vector,
        |terms| parameters.secondary.key.commit_each(terms),
        |terms| {
            let accumulator = &before.secondary_accumulator;
            let hashes = &parameters.hashes;
            hashes.relaxed().challenge_of_fold(hashes.digest, accumulator, &execution.coprocessor, terms)
        },
    )
    .unwrap();
    execution.terms = proof.terms;
    for state in [&mut execution.before, &mut execution.after] {
        state.accumulator_vector = Vec::new();
        state.latest_vector = Vec::new();
        state.secondary_witness = cross_term::Witness { vector: Vec::new(), error: Vec::new() };
    }
    assert_eq!(
        execution.primary(parameters, Overrides::new()),
        execution.primary_vector,
        "it was made as it is here"
    );
    assert_eq!(execution.secondary(parameters, Overrides::new()), execution.secondary_vector);
    execution
}

fn instance(
    parameters: &AllParameters,
    circuit: &Circuit<N>,
    placed: &PlacedStep<N>,
) -> (Instance<C2>, Vec<N>) {
    let (key, layout) = (parameters.secondary.key, parameters.secondary.relation.layout());
    let mut vector = circuit.vector();
    let publics = vector[layout.public()].to_vec();
    let commitments = vec![C2::identity(); layout.rounds.len()];
    let mut instance = Instance { commitments, publics, challenges: vec![N::ZERO; layout.challenges] };
    instance.commitments[0] = key.commit(&vector[layout.round(0)]).unwrap();
    instance.challenges = parameters.hashes.relaxed().challenges_of(parameters.hashes.digest, &instance);
    if layout.rounds.len() > 1 {
        placed.second_round(layout, &mut vector, &instance.challenges);
        instance.commitments[1] = key.commit(&vector[layout.round(1)]).unwrap();
    }
    (instance, vector)
}

impl Execution {
    /// The primary circuit's vector with these overrides, and all that follows from them. Challenges stay as they are: nobody
    /// commits to the dishonest witness.
    pub(super) fn primary(&self, parameters: &AllParameters, overrides: Overrides<F>) -> Vec<F> {
        let augmented = AugmentedStepWitness {
            parameters: self.parameters,
            secondary_next: &self.after.secondary,
            fold: &self.fold,
            folded: &self.folded,
            coprocessor: &self.coprocessor.commitments,
            terms: &self.terms,
            step: self.primary.of(&parameters.primary.step),
        };
        let mut circuit = Circuit::with_overrides(overrides);
        let placed = parameters.primary_circuit().build(&mut circuit, &self.before, &augmented);
        let mut vector = circuit.vector();
        placed.second_round(parameters.primary.relation.layout(), &mut vector, &self.after.latest.challenges);
        vector
    }

    /// The secondary circuit's vector, as [`Execution::primary`].
    pub(super) fn secondary(&self, parameters: &AllParameters, overrides: Overrides<N>) -> Vec<N> {
        let mut circuit = Circuit::with_overrides(overrides);
        let placed = coprocessor::build(&mut circuit, &self.inputs(parameters));
        let mut vector = circuit.vector();
        placed.second_round(
            parameters.secondary.relation.layout(),
            &mut vector,
            &self.coprocessor.challenges,
        );
        vector
    }

    fn inputs<'a>(&'a self, parameters: &'a AllParameters) -> coprocessor::Inputs<'a, C1> {
        coprocessor::Inputs {
            commitments: self.commitments.clone(),
            gamma: self.gamma,
            step: self.secondary.of(&parameters.secondary.step),
        }
    }
}

/// The names of the groups that refuse a vector, one for each constraint, at most thirty. The step's own gate is left out:
/// its values are of the honest input.
pub(super) fn refusals<F: PrimeField>(relation: &Relation<F>, vector: &[F]) -> Vec<String> {
    let violations = relation.violations(vector, 30).into_iter().map(|violation| violation.group);
    violations.filter(|group| !group.contains(OWN)).collect()
}
