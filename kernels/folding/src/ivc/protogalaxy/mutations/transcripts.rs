//! What the oracle absorbs in the circuits is what it absorbs off them, it is complete, and each element matters.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, OnceLock};

use halo2curves::CurveAffine;
use halo2curves::ff::Field as _;

use super::runs::{C1, C2, Execution, F, N, Overrides, Run, mixed};
use super::states::{HASHED, HASHED_IN_MIXED};
use crate::gadgets::{LimbParameters, pack_limbs};
use crate::ivc::encode::coordinates;
use crate::ivc::oracles::Use;
use crate::ivc::protogalaxy::state::State;
use crate::poseidon::watched::Event::{self, Absorbed, Squeezed};
use crate::poseidon::watched::Seen;
use crate::poseidon::{RandomOracle, Sponge, Tag};
use crate::protogalaxy;
use crate::relation::Instance;

const USES: [Use; 8] = [
    Use::PrimaryChallenges,
    Use::SecondaryChallenges,
    Use::PrimaryAccumulator,
    Use::SecondaryAccumulator,
    Use::State,
    Use::Lift,
    Use::Fold,
    Use::CrossTerms,
];

/// A run whose oracle is watched by one test at a time.
fn watched() -> MutexGuard<'static, Run> {
    static RUN: OnceLock<Mutex<Run>> = OnceLock::new();
    RUN.get_or_init(|| Mutex::new(mixed())).lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The transcripts of the primary circuit of an execution.
fn in_circuit(run: &Run, execution: &Execution) -> Vec<Seen<F>> {
    run.parameters.hashes.oracles.constants.take();
    execution.primary(&run.parameters, Overrides::new());
    let seen = run.parameters.hashes.oracles.constants.take();
    assert!(seen.iter().all(|seen| seen.in_circuit));
    seen
}

/// All that is hashed for an execution off the circuits: by its prover, by that of the execution before, and by who
/// verifies either.
fn off_circuit(run: &Run, execution: &Execution) -> Vec<Seen<F>> {
    let (parameters, before, after) = (&run.parameters, &execution.before, &execution.after);
    parameters.hashes.oracles.constants.take();
    parameters.hashes.state_hash(before);
    parameters.hashes.state_hash(after);
    parameters.hashes.primary_challenges(&before.latest);
    parameters.hashes.relaxed().challenges_of(parameters.hashes.digest, &execution.coprocessor);
    parameters.hashes.lift_oracle(&before.latest).squeeze();
    let relaxed = parameters.hashes.relaxed();
    relaxed.challenge_of_fold(
        parameters.hashes.digest,
        &before.secondary_accumulator,
        &execution.coprocessor,
        &execution.terms,
    );
    let mut oracle = parameters.hashes.fold_oracle(before);
    let _ =
        protogalaxy::challenge(parameters.primary.fold, &before.accumulator, &execution.fold, &mut oracle);
    parameters.hashes.oracles.constants.take()
}

fn distinct(seen: Vec<Seen<F>>) -> BTreeMap<String, Vec<Event<F>>> {
    // By the tag and the first result: two transcripts that agree in it are the same.
    seen.into_iter()
        .map(|seen| (format!("{:?} {:?}", seen.tag, squeezed(&seen.events)), seen.events))
        .collect()
}

fn squeezed(events: &[Event<F>]) -> Vec<F> {
    events
        .iter()
        .filter_map(|event| if let Squeezed(element) = event { Some(*element) } else { None })
        .collect()
}

fn of(seen: &[Seen<F>], of: Use) -> Vec<&[Event<F>]> {
    seen.iter().filter(|seen| seen.tag == of.tag()).map(|seen| seen.events.as_slice()).collect()
}

#[test]
fn circuits_hash_what_is_hashed_off_them_and_draw_the_same_challenges() {
    let run = watched();
    for execution in &run.executions {
        let (inside, outside) =
            (distinct(in_circuit(&run, execution)), distinct(off_circuit(&run, execution)));
        assert_eq!(inside, outside, "execution {}", execution.before.steps);
        assert!(inside.len() >= 10);
    }
}

/// Writes what a transcript has to absorb, from the design, not from the code that absorbs.
struct Expected(LimbParameters);

impl Expected {
    fn pack(&self, values: &[N]) -> Vec<F> {
        values.iter().flat_map(|value| pack_limbs::<F, N>(value, self.0)).collect()
    }

    fn non_native_points(&self, points: &[impl CurveAffine<Base = N>]) -> Vec<F> {
        points.iter().flat_map(coordinates).flat_map(|value| pack_limbs::<F, N>(&value, self.0)).collect()
    }

    fn primary(&self, instance: &Instance<C1>) -> Vec<F> {
        [instance.publics.clone(), self.non_native_points(&instance.commitments), instance.challenges.clone()]
            .concat()
    }

    fn secondary(&self, instance: &Instance<C2>) -> Vec<F> {
        let points: Vec<F> = instance.commitments.iter().flat_map(coordinates).collect();
        [self.pack(&instance.publics), points, self.pack(&instance.challenges)].concat()
    }

    fn accumulators(&self, state: &State<C1, C2>) -> [Vec<F>; 2] {
        let (one, two) = (&state.accumulator, &state.secondary_accumulator);
        [
            [self.primary(&one.instance), one.betas.clone(), vec![one.error]].concat(),
            [self.secondary(&two.instance), self.pack(&[two.scale]), coordinates(&two.error).to_vec()]
                .concat(),
        ]
    }
}

/// The elements absorbed before each squeeze.
fn runs_of(events: &[Event<F>]) -> Vec<Vec<F>> {
    let mut runs = vec![Vec::new()];
    for event in events {
        match event {
            Absorbed(element) => runs.last_mut().unwrap().push(*element),
            Squeezed(_) => runs.push(Vec::new()),
        }
    }
    assert_eq!(runs.pop().unwrap(), [], "what is absorbed last decides nothing");
    runs
}

#[test]
fn each_transcript_absorbs_all_that_its_challenges_depend_on() {
    let run = watched();
    let expected = Expected(run.parameters.hashes.limbs);
    for execution in &run.executions {
        let (before, after) = (&execution.before, &execution.after);
        let seen = in_circuit(&run, execution);
        let all = |of_use| of(&seen, of_use).into_iter().map(runs_of).collect::<Vec<_>>();
        let digest = |of_use, number: usize| squeezed(of(&seen, of_use)[number])[0];
        let parameters = vec![run.parameters.hashes.digest];
        let [old, old_secondary] = expected.accumulators(before);
        let [new, new_secondary] = expected.accumulators(after);
        assert_eq!(all(Use::PrimaryAccumulator), [[old], [new]]);
        assert_eq!(all(Use::SecondaryAccumulator), [[old_secondary], [new_secondary]]);

        let states = [(before, 0), (after, 1)].map(|(state, number)| {
            let steps = F::from(execution.before.steps + number as u64);
            let parts = [
                [parameters.clone(), vec![steps], state.primary_start.clone(), state.primary.clone()]
                    .concat(),
                [expected.pack(&state.secondary_start), expected.pack(&state.secondary)].concat(),
                vec![digest(Use::PrimaryAccumulator, number), digest(Use::SecondaryAccumulator, number)],
            ];
            [parts.concat()]
        });
        assert_eq!(all(Use::State), states);

        let latest = &before.latest;
        let instance = expected.primary(latest);
        let first = expected.non_native_points(&latest.commitments[..1]);
        let drawn_from = [parameters.clone(), latest.publics.clone(), first].concat();
        assert_eq!(all(Use::PrimaryChallenges), [[drawn_from, vec![]]]);
        let lift = [parameters.clone(), instance.clone()].concat();
        assert_eq!(all(Use::Lift), [[lift]]);
        let fold = [parameters.clone(), vec![digest(Use::PrimaryAccumulator, 0)], instance].concat();
        let proof = &execution.fold;
        assert_eq!(all(Use::Fold), [[fold, proof.perturbator.clone(), proof.quotient.clone()]]);

        let coprocessor = &execution.coprocessor;
        let first: Vec<F> = coordinates(&coprocessor.commitments[0]).to_vec();
        let drawn_from = [parameters.clone(), expected.pack(&coprocessor.publics), first].concat();
        assert_eq!(all(Use::SecondaryChallenges), [[drawn_from, vec![]]]);
        let terms: Vec<F> = execution.terms.iter().flat_map(coordinates).collect();
        let accumulator = vec![digest(Use::SecondaryAccumulator, 0)];
        let cross = [parameters, accumulator, expected.secondary(coprocessor), terms].concat();
        assert_eq!(all(Use::CrossTerms), [[cross]]);
    }
}

/// What a transcript squeezes, in order.
fn replay(run: &Run, tag: Tag, events: &[Event<F>]) -> Vec<F> {
    let mut sponge = Sponge::new(&run.parameters.hashes.oracles.constants.spec, tag);
    let mut all = Vec::new();
    for event in events {
        match event {
            Absorbed(element) => sponge.absorb(*element),
            Squeezed(_) => all.push(sponge.squeeze()),
        }
    }
    all
}

/// How many squeezes come before this event.
fn squeezed_before(events: &[Event<F>], event: usize) -> usize {
    events[..event].iter().filter(|event| matches!(event, Squeezed(_))).count()
}

#[track_caller]
fn assert_changed_from(honest: &[F], other: &[F], from: usize, of: &str) {
    assert_eq!(honest.len(), other.len());
    for (number, (honest, other)) in honest.iter().zip(other).enumerate() {
        assert_eq!(honest == other, number < from, "challenge {number} of {of}");
    }
}

#[test]
fn each_absorbed_element_its_place_and_the_domain_change_all_later_challenges_and_no_earlier_one() {
    let run = watched();
    let execution = &run.executions[2];
    for seen in in_circuit(&run, execution) {
        let Seen { tag, events, .. } = seen;
        let honest = squeezed(&events);
        assert_eq!(replay(&run, tag, &events), honest);
        for number in 0..events.len() {
            let Absorbed(element) = events[number] else { continue };
            let from = squeezed_before(&events, number);
            let mut changed = events.clone();
            changed[number] = Absorbed(element + F::ONE);
            assert_changed_from(&honest, &replay(&run, tag, &changed), from, "a changed element");
            changed.remove(number);
            assert_changed_from(&honest, &replay(&run, tag, &changed), from, "an element left out");
            let mut swapped = events.clone();
            swapped.swap(number, (number + 1).min(events.len() - 1));
            if matches!(swapped[number], Absorbed(other) if other != element) {
                assert_changed_from(&honest, &replay(&run, tag, &swapped), from, "elements swapped");
            }
        }
        for other in USES.map(Use::tag).into_iter().filter(|other| *other != tag) {
            assert_changed_from(&honest, &replay(&run, other, &events), 0, "another domain");
        }
    }
}

#[test]
fn each_use_has_a_domain_of_its_own() {
    for (number, one) in USES.iter().enumerate() {
        assert!(USES[number + 1..].iter().all(|other| other.tag() != one.tag()), "{one:?}");
    }
}

/// Asserts that a change of what the circuit is given changes all challenges after it, in this use.
#[track_caller]
fn assert_reaches(
    run: &Run,
    execution: &Execution,
    of_use: Use,
    name: &str,
    change: impl FnOnce(&mut Execution),
) {
    let mut changed = execution.clone();
    change(&mut changed);
    let (honest, other) = (in_circuit(run, execution), in_circuit(run, &changed));
    let (honest, other) = (of(&honest, of_use)[0], of(&other, of_use)[0]);
    let first = honest.iter().zip(other).position(|(honest, other)| honest != other);
    let first = first.unwrap_or_else(|| panic!("{name} is not absorbed by {of_use:?}"));
    assert!(matches!(honest[first], Absorbed(_)), "{name} in {of_use:?}");
    assert_changed_from(&squeezed(honest), &squeezed(other), squeezed_before(honest, first), name);
}

#[test]
fn what_a_fold_is_given_reaches_its_challenges_in_the_circuit() {
    let run = watched();
    let execution = &run.executions[2];
    for (name, change) in HASHED.iter().chain(&HASHED_IN_MIXED) {
        assert_reaches(&run, execution, Use::State, name, change);
        let of_secondary =
            name.starts_with("secondary") || name.starts_with("commitment to") || *name == "scale";
        let of_state =
            ["step", "input", "state"].iter().any(|word| name.contains(word)) && !name.contains("public");
        if !of_state {
            let fold = if of_secondary { Use::CrossTerms } else { Use::Fold };
            assert_reaches(&run, execution, fold, name, change);
        }
    }
    for number in 0..execution.fold.perturbator.len() {
        let change = |changed: &mut Execution| changed.fold.perturbator[number] += F::ONE;
        assert_reaches(&run, execution, Use::Fold, &format!("F_{}", number + 1), change);
    }
    for number in 0..execution.fold.quotient.len() {
        let change = |changed: &mut Execution| changed.fold.quotient[number] += F::ONE;
        assert_reaches(&run, execution, Use::Fold, &format!("coefficient {number} of K"), change);
    }
    for of_use in [Use::Fold, Use::Lift] {
        let public = |changed: &mut Execution| changed.before.latest.publics[0] += F::ONE;
        assert_reaches(&run, execution, of_use, "the latest public input", public);
        for number in 0..2 {
            let commitment = |changed: &mut Execution| {
                changed.before.latest.commitments[number] = -changed.before.latest.commitments[number];
            };
            assert_reaches(&run, execution, of_use, &format!("latest commitment {number}"), commitment);
        }
        assert_reaches(&run, execution, of_use, "parameters", |changed| changed.parameters += F::ONE);
    }
    let first = |changed: &mut Execution| {
        changed.before.latest.commitments[0] = -changed.before.latest.commitments[0];
    };
    assert_reaches(&run, execution, Use::PrimaryChallenges, "the first commitment", first);
    for number in 0..execution.coprocessor.commitments.len() {
        let change = |changed: &mut Execution| {
            changed.coprocessor.commitments[number] = -changed.coprocessor.commitments[number];
        };
        assert_reaches(
            &run,
            execution,
            Use::CrossTerms,
            &format!("the co-processor's commitment {number}"),
            change,
        );
    }
    for number in 0..execution.terms.len() {
        let change = |changed: &mut Execution| changed.terms[number] = -changed.terms[number];
        assert_reaches(&run, execution, Use::CrossTerms, &format!("cross term {number}"), change);
    }
    for of_use in [Use::SecondaryChallenges, Use::CrossTerms] {
        let point = |changed: &mut Execution| changed.folded[1] = -changed.folded[1];
        assert_reaches(&run, execution, of_use, "a folded commitment", point);
        let next = |changed: &mut Execution| changed.after.secondary[1] += N::ONE;
        assert_reaches(&run, execution, of_use, "the secondary step's output", next);
        let here = |changed: &mut Execution| changed.before.secondary[1] += N::ONE;
        assert_reaches(&run, execution, of_use, "the secondary step's input", here);
    }
}
