//! What both sides of a computation know of it.

use std::sync::Arc;

use halo2curves::ff::Field as _;
use sha2::{Digest as _, Sha256};

use super::circuit::Augmented;
use super::half::{Half, Lengths, augmented_relation};
use super::state::{Last, Running, State};
use crate::commitment::{CommitmentKey, Curve};
use crate::cross_term::{Accumulator, RelaxedRelation, Witness};
use crate::frontend::StepShape;
use crate::gadgets::LimbParameters;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::circuit_input::check_key;
use crate::ivc::digest::element;
use crate::ivc::oracles::Oracles;
use crate::ivc::relaxed::Relaxed;
use crate::ivc::{Error, Side};
use crate::poseidon::CircuitOracleFor;
use crate::relation::Relation;

/// Both sides, and the digest of all.
pub(super) struct Parameters<'key, C1: Curve, C2: Curve, RO1, RO2>
where
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    pub(super) primary: Half<'key, C1, RO1>,
    pub(super) secondary: Half<'key, C2, RO2>,
    pub(super) limbs: LimbParameters,
    pub(super) digest: [u8; 32],
}

/// What one side is made of.
pub(super) struct Given<'key, C: Curve, RO: CircuitOracleFor<C::ScalarExt>> {
    pub(super) step: Arc<StepShape<C::ScalarExt>>,
    pub(super) key: &'key CommitmentKey<C>,
    pub(super) oracles: Oracles<C::ScalarExt, RO>,
}

impl<'key, C1, C2, RO1, RO2> Parameters<'key, C1, C2, RO1, RO2>
where
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    pub(super) fn new(
        primary: Given<'key, C1, RO1>,
        secondary: Given<'key, C2, RO2>,
        limbs: LimbParameters,
        bound: &[[u8; 32]],
    ) -> Result<Self, Error> {
        let (first, second) = relations(&primary, &secondary, limbs);
        let halves = (half(primary, first, false), half(secondary, second, true));
        check_half(Side::Primary, &halves.0)?;
        check_half(Side::Secondary, &halves.1)?;

        let mut hash = Sha256::new();
        hash.update(b"elastic-folding parameters 1, cross terms on both sides");
        for number in [halves.0.step.arity, halves.1.step.arity, halves.0.oracles.boxes] {
            hash.update((number as u64).to_le_bytes());
        }
        for size in [limbs.limb_width(), limbs.limbs_count()] {
            hash.update((size as u64).to_le_bytes());
        }
        hash.update(halves.0.relation.digest());
        hash.update(halves.1.relation.digest());
        hash.update(halves.0.key.digest());
        hash.update(halves.1.key.digest());
        bound.iter().for_each(|digest| hash.update(digest));
        Ok(Self { primary: halves.0, secondary: halves.1, limbs, digest: hash.finalize().into() })
    }

    /// The digest as both circuits' fields have it.
    pub(super) fn digests(&self) -> (C1::ScalarExt, C2::ScalarExt) {
        (element(&self.digest), element(&self.digest))
    }

    /// Before the first execution.
    pub(super) fn start(&self, primary: Vec<C1::ScalarExt>, secondary: Vec<C2::ScalarExt>) -> State<C1, C2> {
        let layout = self.secondary.relation.layout();
        let last = Last {
            instance: Accumulator::empty(layout).instance,
            vector: vec![C2::ScalarExt::ZERO; layout.len()],
        };
        State {
            steps: 0,
            primary: primary.clone(),
            primary_start: primary,
            secondary: secondary.clone(),
            secondary_start: secondary,
            primary_running: nothing(&self.primary),
            secondary_running: nothing(&self.secondary),
            last,
        }
    }
}

fn nothing<C: Curve, RO: CircuitOracleFor<C::ScalarExt>>(half: &Half<'_, C, RO>) -> Running<C> {
    Running {
        accumulator: Accumulator::empty(half.relation.layout()),
        witness: Witness::empty(&half.relaxed),
    }
}

fn half<C: Curve, RO: CircuitOracleFor<C::ScalarExt>>(
    given: Given<'_, C, RO>,
    relation: Relation<C::ScalarExt>,
    folds_first: bool,
) -> Half<'_, C, RO> {
    let Given { step, key, oracles } = given;
    Half { step, relaxed: RelaxedRelation::new(&relation), relation, key, oracles, folds_first }
}

fn check_half<C: Curve, RO: CircuitOracleFor<C::ScalarExt>>(
    side: Side,
    half: &Half<'_, C, RO>,
) -> Result<(), Error> {
    check_key(side, half.key, half.relation.layout(), half.relaxed.relation().numbers())
}

/// Both relations. The degree of each says how many cross terms the other folds, which may raise the other's degree: tried
/// until both agree.
fn relations<C1, C2, RO1, RO2>(
    primary: &Given<'_, C1, RO1>,
    secondary: &Given<'_, C2, RO2>,
    limbs: LimbParameters,
) -> (Relation<C1::ScalarExt>, Relation<C2::ScalarExt>)
where
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    let mut terms = [1, 1];
    loop {
        let first = Lengths::new::<_, C2::ScalarExt>(&primary.step, terms[0], limbs);
        let second = Lengths::new::<_, C1::ScalarExt>(&secondary.step, terms[1], limbs);
        let relaxed = Relaxed { oracles: &primary.oracles, limbs, challenges: second.layout.challenges };
        let circuit = Augmented { relaxed, folds_first: false };
        let primary = augmented_relation::<C2, RO1>(&circuit, &primary.step, &second);
        let relaxed = Relaxed { oracles: &secondary.oracles, limbs, challenges: first.layout.challenges };
        let circuit = Augmented { relaxed, folds_first: true };
        let secondary = augmented_relation::<C1, RO2>(&circuit, &secondary.step, &first);
        let found = [primary.degree() - 1, secondary.degree() - 1];
        if found == terms {
            return (primary, secondary);
        }
        terms = found;
    }
}
