//! The inputs of the primary circuit by name.

use std::collections::{BTreeMap, HashSet};

use halo2curves::ff::{Field as _, PrimeField};

use self::Values::{Native, NonNative};
use super::rows::Rows;
use super::runs::{C1, C2, Execution, F, N, Run};
use crate::ivc::encode::coordinates;

/// What an input of the primary circuit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Parameters,
    Steps,
    PrimaryStart,
    SecondaryStart,
    Primary,
    Secondary,
    AccumulatorCommitment,
    AccumulatorPublic,
    AccumulatorChallenge,
    /// A `β` or the error.
    AccumulatorClaim,
    SecondaryCommitment,
    SecondaryPublic,
    SecondaryChallenge,
    SecondaryScale,
    SecondaryError,
    LatestCommitment,
    LatestPublic,
    Perturbator,
    Quotient,
    FoldedCommitment,
    SecondaryNext,
    CoprocessorCommitment,
    Term,
}

/// Limbs of 68 bits, least first.
pub(super) fn limbs(value: N) -> [F; 4] {
    integer_limbs(&bits(value))
}

/// The bits of the canonical representative, least first.
pub(super) fn bits<F: PrimeField>(value: F) -> Vec<bool> {
    let bytes = value.to_repr();
    bytes.as_ref().iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect()
}

/// The number of the low 128 bits.
pub(super) fn low_number(bits: &[bool]) -> u128 {
    bits[..128.min(bits.len())].iter().rev().fold(0, |number, bit| number << 1 | u128::from(*bit))
}

/// Limbs of 68 bits of a number of 254 bits.
pub(super) fn integer_limbs(bits: &[bool]) -> [F; 4] {
    std::array::from_fn(|limb| F::from_u128(low_number(&bits[68 * limb..(68 * (limb + 1)).min(254)])))
}

/// Elements of the primary field as they are, those of the other by the limbs.
enum Values {
    Native(Vec<F>),
    NonNative(Vec<N>),
}

/// From one limb of an element to the next: the digits of a limb but the lowest are between.
pub(super) const LIMB_STRIDE: usize = 34;

fn near(points: &[C2]) -> Values {
    Values::Native(points.iter().flat_map(coordinates).collect())
}

fn non_native(points: &[C1]) -> Values {
    Values::NonNative(points.iter().flat_map(coordinates).collect())
}

/// The inputs' variables, found by their values in the last execution, in which all differ from what is before them. All
/// executions have them in the same places.
pub(super) fn primary_names(run: &Run) -> BTreeMap<usize, Name> {
    let execution = run.executions.last().unwrap();
    let (before, after) = (&execution.before, &execution.after);
    let (accumulator, secondary) = (&before.accumulator, &before.secondary_accumulator);
    // In the order of the circuit.
    let inputs = [
        (Name::Parameters, Native(vec![execution.parameters])),
        (Name::Steps, Native(vec![F::from(before.steps)])),
        (Name::PrimaryStart, Native(before.primary_start.clone())),
        (Name::SecondaryStart, NonNative(before.secondary_start.clone())),
        (Name::Primary, Native(before.primary.clone())),
        (Name::Secondary, NonNative(before.secondary.clone())),
        (Name::AccumulatorCommitment, non_native(&accumulator.instance.commitments)),
        (Name::AccumulatorPublic, Native(accumulator.instance.publics.clone())),
        (Name::AccumulatorChallenge, Native(accumulator.instance.challenges.clone())),
        (Name::AccumulatorClaim, Native([accumulator.betas.clone(), vec![accumulator.error]].concat())),
        (Name::SecondaryCommitment, near(&secondary.instance.commitments)),
        (Name::SecondaryPublic, NonNative(secondary.instance.publics.clone())),
        (Name::SecondaryChallenge, NonNative(secondary.instance.challenges.clone())),
        (Name::SecondaryScale, NonNative(vec![secondary.scale])),
        (Name::SecondaryError, near(&[secondary.error])),
        (Name::LatestCommitment, non_native(&before.latest.commitments)),
        (Name::LatestPublic, Native(before.latest.publics.clone())),
        (Name::Perturbator, Native(execution.fold.perturbator.clone())),
        (Name::Quotient, Native(execution.fold.quotient.clone())),
        (Name::FoldedCommitment, non_native(&execution.folded)),
        (Name::SecondaryNext, NonNative(after.secondary.clone())),
        (Name::CoprocessorCommitment, near(&execution.coprocessor.commitments)),
        (Name::Term, near(&execution.terms)),
    ];
    let vector = &execution.primary_vector;
    let mut next = run.parameters.primary.relation.layout().round(0).start;
    let mut names = BTreeMap::new();
    let mut find = |name: Name, value: F, parts: usize| {
        let found = vector[next..].iter().position(|other| *other == value);
        next += found.unwrap_or_else(|| panic!("{name:?} is assigned in its turn"));
        for _ in 0..parts {
            names.insert(next, name);
            next += LIMB_STRIDE;
        }
        next -= LIMB_STRIDE - 1;
    };
    for (name, values) in inputs {
        match values {
            Native(values) => values.into_iter().for_each(|value| find(name, value, 1)),
            NonNative(values) => values.into_iter().for_each(|value| find(name, limbs(value)[0], 4)),
        }
    }
    names
}

/// The variables that have the value of an input, of a challenge or of what is folded: a second one that is not tied to the
/// first could be overridden alone. Digits are left out.
pub(super) fn copies(run: &Run, execution: &Execution) -> HashSet<usize> {
    let (before, after, vector) = (&execution.before, &execution.after, &execution.primary_vector);
    let challenge = after.secondary_accumulator.scale - before.secondary_accumulator.scale;
    let shorts = [execution.gamma, low_number(&bits(challenge))].map(F::from_u128);
    let mut values: HashSet<F> = primary_names(run).keys().map(|place| vector[*place]).collect();
    values.extend(shorts.into_iter().chain([F::from(after.steps), after.accumulator.error]));
    values.extend(&after.accumulator.betas);
    values.extend(&before.latest.challenges);
    let rows = Rows::new(&run.parameters.primary.relation);
    let is_digit = |place| rows.describe(place).split(", ").any(|row| row.starts_with("digit below"));
    let first = run.parameters.primary.relation.layout().round(0);
    let is_small = |value: F| [F::ZERO, F::ONE].contains(&value);
    first.filter(|at| !is_small(vector[*at]) && values.contains(&vector[*at]) && !is_digit(*at)).collect()
}
