//! The verifier of a fold in a circuit over the curve's base field: points are native, scalars are in limbs.

use crate::circuit::Circuit;
use crate::gadgets::ecc::{Multiplier, NativeCurve, Point};
use crate::gadgets::{LimbParameters, NonNative, Short, ShortLimbs};

/// An instance's public part.
#[derive(Clone, Debug)]
pub struct CircuitInstance<C: NativeCurve> {
    /// One a round.
    pub commitments: Vec<Point<C>>,
    /// The public inputs.
    pub publics: Vec<NonNative<C::Base, C::ScalarExt>>,
    /// The challenges.
    pub challenges: Vec<NonNative<C::Base, C::ScalarExt>>,
}

/// [`super::Accumulator`] in a circuit.
#[derive(Clone, Debug)]
pub struct CircuitAccumulator<C: NativeCurve> {
    /// What is folded like an instance.
    pub instance: CircuitInstance<C>,
    /// Nova's `u`, in the place of the constant 1.
    pub scale: NonNative<C::Base, C::ScalarExt>,
    /// The commitment to the error vector `E`.
    pub error: Point<C>,
}

/// Folds an instance into the accumulator under the challenge `r`.
pub fn fold<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    accumulator: &CircuitAccumulator<C>,
    incoming: &CircuitInstance<C>,
    terms: &[Point<C>],
    r: &Short<C::Base>,
    parameters: LimbParameters,
) -> CircuitAccumulator<C> {
    let multiplier = Multiplier::new(circuit, r);
    let limbs = ShortLimbs::new(circuit, r, parameters);
    let old = &accumulator.instance;
    let commitments = old.commitments.iter().zip(&incoming.commitments);
    let commitments = commitments.map(|(old, new)| old.add_multiple(circuit, &multiplier, new)).collect();
    let mut folded = |old: &[NonNative<_, _>], new: &[NonNative<_, _>]| -> Vec<_> {
        old.iter().zip(new).map(|(old, new)| old.add_multiple(circuit, &limbs, new)).collect()
    };
    let publics = folded(&old.publics, &incoming.publics);
    let challenges = folded(&old.challenges, &incoming.challenges);
    let scale = accumulator.scale.add_short(circuit, &limbs);

    // E + r (T_1 + r (T_2 + ..))
    let mut moved: Option<Point<C>> = None;
    for term in terms.iter().rev() {
        moved = Some(match moved {
            Some(moved) => term.add_multiple(circuit, &multiplier, &moved),
            None => term.clone(),
        });
    }
    let error = match moved {
        Some(moved) => accumulator.error.add_multiple(circuit, &multiplier, &moved),
        None => accumulator.error.clone(),
    };
    CircuitAccumulator { instance: CircuitInstance { commitments, publics, challenges }, scale, error }
}
