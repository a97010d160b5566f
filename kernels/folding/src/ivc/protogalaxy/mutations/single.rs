//! One variable changed, and nothing else.

use std::collections::BTreeMap;

use halo2curves::ff::PrimeField;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};
use rayon::prelude::*;

use super::free::Free;
use super::rows::Rows;
use super::runs::executions;
use crate::relation::Relation;

/// What a variable is changed to.
fn changes<F: PrimeField>(variable: usize, value: F) -> Vec<F> {
    let random = F::random(ChaCha20Rng::seed_from_u64(variable as u64));
    let mut changes = vec![value + F::ONE, value - F::ONE, F::ZERO, F::ONE - value, -value, random];
    changes.retain(|change| *change != value);
    changes
}

/// Changes variables, and asserts that the relation refuses it unless they are free for a reason: those that may be free,
/// and of all that occur in the same places so many, or all. Gives how many are free for which.
fn assert_all_bound<F: PrimeField>(
    name: &str,
    relation: &Relation<F>,
    vector: &[F],
    of_each: Option<usize>,
) -> BTreeMap<Free, usize> {
    assert_eq!(relation.violations(vector, 3), vec![], "{name}");
    let rows = Rows::new(relation);
    let sample = of_each.map(|of_each| rows.sample(of_each));
    let chosen = |variable: &usize| {
        let in_sample = sample.as_ref().is_none_or(|sample| sample.contains(variable));
        in_sample || Free::of(&rows, *variable, vector).is_some()
    };
    let chosen: Vec<_> = (1..vector.len()).filter(chosen).collect();
    let free = chosen.into_par_iter().with_min_len(256).map_init(
        || vector.to_vec(),
        |z, variable| {
            let accepted = changes(variable, vector[variable]).into_iter().find(|change| {
                z[variable] = *change;
                !rows.refuse(variable, z)
            });
            z[variable] = vector[variable];
            let reason = Free::of(&rows, variable, vector);
            assert_eq!(
                accepted.is_some(),
                reason.is_some(),
                "{name}: variable {variable}, which is {:?}, may be {accepted:?}; it occurs in {}",
                vector[variable],
                rows.describe(variable),
            );
            reason
        },
    );
    let mut counts = BTreeMap::new();
    for reason in free.flatten_iter().collect::<Vec<_>>() {
        *counts.entry(reason).or_default() += 1;
    }
    counts
}

fn assert_none_may_change(of_each: Option<usize>) {
    let mut reasons = BTreeMap::new();
    for (run, execution, name) in executions() {
        let (primary, secondary) = (&run.parameters.primary.relation, &run.parameters.secondary.relation);
        for counts in [
            assert_all_bound(&format!("primary of {name}"), primary, &execution.primary_vector, of_each),
            assert_all_bound(
                &format!("secondary of {name}"),
                secondary,
                &execution.secondary_vector,
                of_each,
            ),
        ] {
            for (reason, count) in counts {
                *reasons.entry(reason).or_insert(0) += count;
            }
        }
    }
    // No reason is listed that nothing has.
    assert_eq!(reasons.keys().copied().collect::<Vec<_>>(), Free::ALL, "{reasons:?}");
}

#[test]
fn variables_of_each_kind_may_not_change_unless_they_are_listed() {
    assert_none_may_change(Some(16));
}

#[test]
#[ignore = "long: changes each variable of six executions"]
fn no_variable_of_either_circuit_may_change_unless_it_is_listed() {
    assert_none_may_change(None);
}
