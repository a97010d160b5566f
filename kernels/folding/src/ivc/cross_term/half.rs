//! One of the two sides: what its circuit is, and what its values are committed and hashed with.

use std::sync::Arc;

use halo2curves::ff::{Field as _, PrimeField};

use super::circuit::{Augmented, Inputs};
use crate::circuit::{Circuit, lookup};
use crate::commitment::{CommitmentKey, Curve};
use crate::cross_term::{self, RelaxedRelation};
use crate::frontend::StepShape;
use crate::gadgets::ecc::NativeCurve;
use crate::gadgets::{LimbParameters, pack_limbs};
use crate::ivc::oracles::Oracles;
use crate::ivc::recorded::{no_values, relation};
use crate::ivc::relaxed::Relaxed;
use crate::ivc::step::StepValues;
use crate::poseidon::CircuitOracleFor;
use crate::relation::{Instance, Layout, Relation};

/// A side, with the curve that its values are committed to on.
pub(super) struct Half<'key, C: Curve, RO: CircuitOracleFor<C::ScalarExt>> {
    pub(super) step: Arc<StepShape<C::ScalarExt>>,
    pub(super) relation: Relation<C::ScalarExt>,
    pub(super) relaxed: RelaxedRelation<C::ScalarExt>,
    pub(super) key: &'key CommitmentKey<C>,
    pub(super) oracles: Oracles<C::ScalarExt, RO>,
    /// Whether its first execution folds: that of the side that goes second.
    pub(super) folds_first: bool,
}

impl<C: Curve, RO: CircuitOracleFor<C::ScalarExt>> Half<'_, C, RO> {
    /// Its circuit, which folds instances with so many challenges.
    pub(super) fn circuit(
        &self,
        limbs: LimbParameters,
        challenges: usize,
    ) -> Augmented<'_, C::ScalarExt, RO> {
        let relaxed = Relaxed { oracles: &self.oracles, limbs, challenges };
        Augmented { relaxed, folds_first: self.folds_first }
    }
}

/// The lengths of a side's instances, and how many cross terms a fold of them has.
#[derive(Clone, Debug)]
pub(super) struct Lengths {
    pub(super) layout: Layout,
    pub(super) terms: usize,
}

impl Lengths {
    /// Those of a side over `F` with this step, next to one over `N`.
    pub(super) fn new<F: PrimeField, N: PrimeField>(
        step: &StepShape<F>,
        terms: usize,
        limbs: LimbParameters,
    ) -> Self {
        let layout = Layout {
            publics: pack_limbs::<F, N>(&N::ZERO, limbs).len() + 1,
            challenges: lookup::challenges(step),
            rounds: vec![0; if step.tables.is_empty() { 1 } else { 2 }],
        };
        Self { layout, terms }
    }

    /// An instance of zeros.
    pub(super) fn nothing<C: Curve>(&self) -> Instance<C> {
        cross_term::Accumulator::empty(&self.layout).instance
    }
}

/// The relation of the circuit around a step, next to a side of these lengths on `C`.
pub(super) fn augmented_relation<C, RO>(
    circuit: &Augmented<'_, C::Base, RO>,
    step: &Arc<StepShape<C::Base>>,
    other: &Lengths,
) -> Relation<C::Base>
where
    C: Curve + NativeCurve,
    RO: CircuitOracleFor<C::Base>,
{
    let (values, multiplicities) = no_values(step);
    let z = vec![C::Base::ZERO; step.arity];
    let inputs = Inputs::<C> {
        parameters: C::Base::ZERO,
        steps: 0,
        start: &z,
        z: &z,
        accumulator: &cross_term::Accumulator::empty(&other.layout),
        latest: &other.nothing(),
        terms: &vec![C::identity(); other.terms],
        step: StepValues { shape: step, values: &values, multiplicities: &multiplicities },
    };
    let mut recorded = Circuit::recorded();
    circuit.build(&mut recorded, &inputs);
    relation(recorded)
}
