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

/// Changes each variable, and asserts that the relation refuses it unless it is free for a reason. Gives how many are
/// free for which.
fn assert_all_bound<F: PrimeField>(
    name: &str,
    relation: &Relation<F>,
    vector: &[F],
) -> BTreeMap<Free, usize> {
    assert_eq!(relation.violations(vector, 3), vec![], "{name}");
    let rows = Rows::new(relation);
    let free = (1..vector.len()).into_par_iter().with_min_len(256).map_init(
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

#[test]
fn no_variable_of_either_circuit_may_change_unless_it_is_listed() {
    let mut reasons = BTreeMap::new();
    for (run, execution, name) in executions() {
        let (primary, secondary) = (&run.parameters.primary.relation, &run.parameters.secondary.relation);
        for counts in [
            assert_all_bound(&format!("primary of {name}"), primary, &execution.primary_vector),
            assert_all_bound(&format!("secondary of {name}"), secondary, &execution.secondary_vector),
        ] {
            for (reason, count) in counts {
                *reasons.entry(reason).or_insert(0) += count;
            }
        }
    }
    // No reason is listed that nothing has.
    assert_eq!(reasons.keys().copied().collect::<Vec<_>>(), Free::ALL, "{reasons:?}");
}
