//! Commitments to a circuit's values: made round by round, and opened by the values.

use halo2curves::ff::Field as _;

use super::Error;
use crate::circuit::{Circuit, PlacedStep};
use crate::commitment::{CommitmentKey, Curve};
use crate::relation::{Instance, Layout};

/// Commits to a circuit's values, round by round, with the challenges that follow from the first.
pub(super) fn commit<C: Curve>(
    key: &CommitmentKey<C>,
    layout: &Layout,
    circuit: &Circuit<C::ScalarExt>,
    step: &PlacedStep<C::ScalarExt>,
    challenges: impl FnOnce(&Instance<C>) -> Vec<C::ScalarExt>,
) -> Result<(Instance<C>, Vec<C::ScalarExt>), Error> {
    let mut vector = circuit.vector();
    let mut instance = Instance {
        commitments: vec![C::identity(); layout.rounds.len()],
        publics: vector[layout.public()].to_vec(),
        challenges: vec![C::ScalarExt::ZERO; layout.challenges],
    };
    instance.commitments[0] = key.commit(&vector[layout.round(0)])?;
    instance.challenges = challenges(&instance);
    if layout.rounds.len() > 1 {
        step.second_round(layout, &mut vector, &instance.challenges);
        instance.commitments[1] = key.commit(&vector[layout.round(1)])?;
    }
    Ok((instance, vector))
}

/// Whether an instance has the lengths of its layout.
pub(super) fn fits<C: Curve>(instance: &Instance<C>, layout: &Layout) -> bool {
    instance.commitments.len() == layout.rounds.len()
        && instance.publics.len() == layout.publics
        && instance.challenges.len() == layout.challenges
}

/// Whether the instance is the vector's public part.
pub(super) fn opens<C: Curve>(
    key: &CommitmentKey<C>,
    layout: &Layout,
    instance: &Instance<C>,
    vector: &[C::ScalarExt],
) -> Result<bool, Error> {
    if vector[layout.public()] != instance.publics || vector[layout.challenge()] != instance.challenges {
        return Ok(false);
    }
    for (round, commitment) in instance.commitments.iter().enumerate() {
        if key.commit(&vector[layout.round(round)])? != *commitment {
            return Ok(false);
        }
    }
    Ok(true)
}
