//! Other writings of the same element: a number plus the modulus, in limbs and in bits, and points mirrored.

use halo2curves::ff::{Field as _, PrimeField};

use super::names::{LIMB_STRIDE, Name, bits, integer_limbs, limbs, low_number, primary_names};
use super::runs::{C1, Execution, F, N, Overrides, Run, executions, refusals, runs};
use crate::circuit::Variable;
use crate::ivc::encode::coordinates;

/// The rows of comparisons with a modulus.
const COMPARISON: [&str; 2] = ["below a constant, 8 pieces", "a sum is a digit below 4"];

/// From the lowest limb of what arithmetic gives to that of the quotient: limbs of 68, 68, 68 and 50 bits with their digits,
/// then the comparison's 7 flags, a gap and 16 digits.
const QUOTIENT: usize = 3 * LIMB_STRIDE + 25 + 24;

/// The bits of an element plus the modulus, where they are 254.
fn plus_modulus<E: PrimeField>(element: E) -> Option<Vec<bool>> {
    let less_one = bits(-E::ONE);
    let mut carry = true;
    let mut sum = Vec::new();
    for (left, right) in bits(element).into_iter().zip(less_one) {
        let ones = [left, right, carry].into_iter().filter(|bit| *bit).count();
        sum.push(ones % 2 == 1);
        carry = ones >= 2;
    }
    (!carry && sum[254..].iter().all(|bit| !bit)).then_some(sum)
}

fn first(run: &Run) -> usize {
    run.parameters.primary.relation.layout().round(0).start
}

fn variable(run: &Run, place: usize) -> Variable {
    Variable::Witness(0, u32::try_from(place - first(run)).unwrap())
}

/// Overrides an element in limbs, the lowest at this place, by the element plus the modulus.
fn in_limbs(run: &Run, place: usize, sum: &[bool]) -> Overrides<F> {
    let limbs = integer_limbs(sum).into_iter().enumerate();
    limbs.map(|(limb, value)| (variable(run, place + LIMB_STRIDE * limb), value)).collect()
}

fn refused(run: &Run, execution: &Execution, overrides: Overrides<F>) -> Vec<String> {
    refusals(&run.parameters.primary.relation, &execution.primary(&run.parameters, overrides))
}

#[track_caller]
fn assert_only_compared(refused: &[String], of: &str) {
    let compared = refused.iter().all(|group| COMPARISON.contains(&group.as_str()));
    assert!(!refused.is_empty() && compared, "{of}: {refused:?}");
}

/// The elements of a named input with the places of their lowest limbs, in order.
fn elements(run: &Run, execution: &Execution, name: Name) -> Vec<(usize, N)> {
    let (before, after) = (&execution.before, &execution.after);
    let points = |points: &[C1]| points.iter().flat_map(coordinates).collect::<Vec<N>>();
    let values = match name {
        Name::SecondaryStart => before.secondary_start.clone(),
        Name::Secondary => before.secondary.clone(),
        Name::AccumulatorCommitment => points(&before.accumulator.instance.commitments),
        Name::SecondaryPublic => before.secondary_accumulator.instance.publics.clone(),
        Name::LatestCommitment => points(&before.latest.commitments),
        Name::FoldedCommitment => points(&execution.folded),
        Name::SecondaryNext => after.secondary.clone(),
        _ => unreachable!("not in limbs"),
    };
    let names = primary_names(run);
    let places: Vec<_> = names.iter().filter(|(_, other)| **other == name).map(|(place, _)| *place).collect();
    assert_eq!(places.len(), 4 * values.len());
    places.into_iter().step_by(4).zip(values).collect()
}

/// The public inputs of the co-processor's instance that an input of the primary circuit is, by its number among those of
/// its name.
fn publics_of(run: &Run, execution: &Execution, name: Name, number: usize) -> Vec<usize> {
    let pairs = execution.commitments.len();
    let (pair, coordinate) = (number / 2, number % 2);
    match name {
        Name::FoldedCommitment => vec![4 * pairs + number],
        Name::SecondaryNext => vec![6 * pairs + 1 + run.parameters.secondary.step.arity + number],
        // Where the instance is lifted it is in the accumulator's place too.
        Name::LatestCommitment if execution.before.steps < 2 => {
            vec![4 * pair + coordinate, 4 * pair + 2 + coordinate]
        }
        Name::LatestCommitment => vec![4 * pair + 2 + coordinate],
        _ => unreachable!("the prover does not choose it"),
    }
}

/// Where the lowest limb of the element is assigned whose limbs these are.
fn place_of(run: &Run, vector: &[F], value: N) -> usize {
    let is_here = |place: &usize| {
        let mut limbs = limbs(value).into_iter().enumerate();
        limbs.all(|(limb, value)| vector.get(place + LIMB_STRIDE * limb) == Some(&value))
    };
    (first(run)..vector.len()).find(is_here).expect("it is assigned")
}

/// With the quotients that an element leads to which is greater by the modulus: greater by the challenge that multiplies it.
fn with_quotients(
    run: &Run,
    execution: &Execution,
    publics: &[usize],
    mut overrides: Overrides<F>,
) -> Overrides<F> {
    let honest = &execution.primary_vector;
    let (before, after) = (&execution.before.secondary_accumulator, &execution.after.secondary_accumulator);
    let challenge = limbs(after.scale - before.scale);
    let challenge = challenge[0] + challenge[1] * F::from_u128(1 << 68);
    let challenge = honest.iter().position(|value| *value == challenge).unwrap();
    // The challenge depends on the overridden element.
    let rebuilt = execution.primary(&run.parameters, overrides.clone());
    let r = low_number(&bits(rebuilt[challenge]));
    let mask = (1 << 68) - 1;
    for public in publics {
        let place = place_of(run, honest, after.instance.publics[*public]) + QUOTIENT;
        let low = low_number(&bits(rebuilt[place])) + (r & mask);
        let high = low_number(&bits(rebuilt[place + LIMB_STRIDE])) + (r >> 68) + (low >> 68);
        overrides.insert(variable(run, place), F::from_u128(low & mask));
        overrides.insert(variable(run, place + LIMB_STRIDE), F::from_u128(high));
    }
    overrides
}

/// Executions that have something before them.
fn later() -> impl Iterator<Item = (&'static Run, &'static Execution, String)> {
    executions().filter(|(_, execution, _)| execution.before.steps > 0)
}

#[test]
fn an_element_that_the_prover_chooses_is_not_written_as_itself_plus_the_modulus() {
    let mut tested = 0;
    // In steps that compute nothing, elements are equal that differ here; in execution 1, which lifts, the latest commitment
    // is in two places.
    let folding = later().filter(|(_, execution, _)| execution.before.steps > 1);
    for (run, execution, name) in folding.filter(|(run, ..)| run.name != runs()[0].name) {
        for input in [Name::LatestCommitment, Name::FoldedCommitment, Name::SecondaryNext] {
            for (number, (place, value)) in elements(run, execution, input).into_iter().enumerate() {
                let Some(sum) = plus_modulus(value) else { continue };
                let publics = publics_of(run, execution, input, number);
                let overrides = with_quotients(run, execution, &publics, in_limbs(run, place, &sum));
                assert_only_compared(
                    &refused(run, execution, overrides),
                    &format!("{input:?} {number} of {name}"),
                );
                tested += 1;
            }
        }
    }
    assert!(tested > 3, "{tested}");
}

#[test]
fn an_element_that_was_hashed_is_not_written_as_itself_plus_the_modulus() {
    let mut tested = 0;
    for (run, execution, name) in later() {
        for (place, value) in elements(run, execution, Name::SecondaryStart) {
            let sum = plus_modulus(value).expect("it is small");
            assert_eq!(refused(run, execution, in_limbs(run, place, &sum)), ["product"], "{name}");
        }
        // What else was hashed is folded too, with other quotients.
        for input in [Name::Secondary, Name::AccumulatorCommitment, Name::SecondaryPublic] {
            for (place, value) in elements(run, execution, input) {
                let Some(sum) = plus_modulus(value) else { continue };
                let refused = refused(run, execution, in_limbs(run, place, &sum));
                assert!(refused.contains(&"product".to_owned()), "{input:?} of {name}: {refused:?}");
                tested += 1;
            }
        }
    }
    assert!(tested > 9, "{tested}");
}

#[test]
fn what_arithmetic_gives_is_not_written_as_itself_plus_the_modulus_with_a_quotient_of_one_less() {
    let mut tested = 0;
    for (run, execution, name) in later() {
        let vector = &execution.primary_vector;
        for value in &execution.after.secondary_accumulator.instance.publics {
            let Some(sum) = plus_modulus(*value) else { continue };
            let place = place_of(run, vector, *value);
            let mut overrides = in_limbs(run, place, &sum);
            overrides.insert(variable(run, place + QUOTIENT), vector[place + QUOTIENT] - F::ONE);
            assert_only_compared(&refused(run, execution, overrides), &name);
            tested += 1;
        }
    }
    assert!(tested > 9, "{tested}");
}

#[test]
fn a_challenge_is_not_the_low_bits_of_what_was_drawn_plus_the_modulus() {
    let mut tested = 0;
    for (run, execution, name) in executions() {
        let vector = &execution.primary_vector;
        let drawn = vector.iter().enumerate().skip(first(run)).filter_map(|(place, element)| {
            // The low bits of what was drawn are a variable that comes after it.
            let number = F::from_u128(low_number(&bits(*element)));
            let after = vector[place..].iter().take(600).position(|other| *other == number);
            after.filter(|_| number != *element).map(|after| (place + after, *element))
        });
        for (place, element) in drawn.collect::<Vec<_>>() {
            let Some(sum) = plus_modulus(element) else { continue };
            let overrides = Overrides::from([(variable(run, place), F::from_u128(low_number(&sum)))]);
            assert_only_compared(&refused(run, execution, overrides), &name);
            tested += 1;
        }
    }
    assert!(tested > 1, "{tested}");
}

#[test]
fn a_folded_point_is_not_mirrored() {
    for (run, execution, name) in executions() {
        let vector = &execution.primary_vector;
        let folded = &execution.after.secondary_accumulator;
        for point in folded.instance.commitments.iter().chain([&folded.error]) {
            let [x, y] = coordinates(point);
            if bool::from(y.is_zero()) {
                continue;
            }
            let is_here = |place: &usize| vector[*place] == x && vector[place + 1] == y;
            let place = (first(run)..vector.len() - 1).rfind(is_here).expect("it is assigned");
            let overrides = Overrides::from([(variable(run, place + 1), -y)]);
            assert_eq!(refused(run, execution, overrides), ["complete addition"], "{name}");
        }
    }
}

#[test]
fn the_co_processor_folds_no_mirrored_point() {
    for (run, execution, name) in executions() {
        let relation = &run.parameters.secondary.relation;
        // The pairs of points come first, four public inputs each.
        let pairs = execution.commitments.len();
        for number in 0..pairs {
            let public = 4 * pairs + 2 * number + 1;
            let honest = execution.coprocessor.publics[public];
            if bool::from(honest.is_zero()) {
                continue;
            }
            let overrides = Overrides::from([(Variable::Public(u32::try_from(public).unwrap()), -honest)]);
            assert_eq!(
                refusals(relation, &execution.secondary(&run.parameters, overrides)),
                ["zero"],
                "{name}"
            );
        }
    }
}

#[test]
fn small_elements_have_a_second_writing_and_great_ones_have_none() {
    assert!(plus_modulus(F::from(5)).is_some() && plus_modulus(-F::from(5)).is_none());
    assert_eq!(bits(F::from(6))[..4], [false, true, true, false]);
    assert_eq!(low_number(&bits(-N::ONE)), 0x9781_6a91_6871_ca8d_3c20_8c16_d87c_fd46);
}
