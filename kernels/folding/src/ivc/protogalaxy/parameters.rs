//! What both sides of a computation know of it: the relations of its two circuits, keys, the oracle, and the digest of all.

use std::sync::Arc;

use halo2curves::ff::Field as _;
use sha2::{Digest as _, Sha256};

use super::circuit::{self, PrimaryCircuit};
use super::coprocessor;
use super::hashes::Hashes;
use super::state::State;
use crate::circuit::{Circuit, lookup};
use crate::commitment::{CommitmentKey, Curve};
use crate::cross_term::RelaxedRelation;
use crate::frontend::StepShape;
use crate::gadgets::LimbParameters;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::circuit_input::check_key;
use crate::ivc::digest::element;
use crate::ivc::oracles::Oracles;
use crate::ivc::recorded::{no_values, relation};
use crate::ivc::relaxed::Relaxed;
use crate::ivc::step::StepValues;
use crate::ivc::{Error, Side};
use crate::poseidon::CircuitOracleFor;
use crate::protogalaxy::{FoldShape, Proof};
use crate::relation::Relation;

/// What is folded, committed to with what, and hashed how.
pub(super) struct Parameters<'key, C1: Curve + NativeCurve, C2: Curve, RO: CircuitOracleFor<C1::ScalarExt>> {
    pub(super) primary: Primary<'key, C1>,
    pub(super) secondary: Secondary<'key, C2>,
    pub(super) hashes: Arc<Hashes<C1::ScalarExt, RO>>,
}

pub(super) struct Primary<'key, C: Curve> {
    pub(super) step: Arc<StepShape<C::ScalarExt>>,
    pub(super) relation: Arc<Relation<C::ScalarExt>>,
    pub(super) fold: FoldShape,
    pub(super) key: &'key CommitmentKey<C>,
}

pub(super) struct Secondary<'key, C: Curve> {
    pub(super) step: Arc<StepShape<C::ScalarExt>>,
    pub(super) relation: Arc<Relation<C::ScalarExt>>,
    pub(super) relaxed: Arc<RelaxedRelation<C::ScalarExt>>,
    pub(super) key: &'key CommitmentKey<C>,
}

impl<'key, C1, C2, RO> Parameters<'key, C1, C2, RO>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    RO: CircuitOracleFor<C1::ScalarExt>,
{
    pub(super) fn new(
        (primary_step, primary_key): (Arc<StepShape<C1::ScalarExt>>, &'key CommitmentKey<C1>),
        (secondary_step, secondary_key): (Arc<StepShape<C2::ScalarExt>>, &'key CommitmentKey<C2>),
        oracles: Oracles<C1::ScalarExt, RO>,
        limbs: LimbParameters,
        bound: &[[u8; 32]],
    ) -> Result<Self, Error> {
        let rounds = if primary_step.tables.is_empty() { 1 } else { 2 };
        let secondary_relation = secondary_relation::<C1>(&secondary_step, rounds);
        let relaxed = RelaxedRelation::new(&secondary_relation);
        let challenges = secondary_relation.layout().challenges;
        let circuit = PrimaryCircuit { relaxed: Relaxed { oracles: &oracles, limbs, challenges } };
        let (relation, fold) =
            primary_relation::<C1, C2, RO>(&circuit, &primary_step, rounds, (&relaxed, secondary_step.arity));
        check_key(Side::Primary, primary_key, relation.layout(), 0)?;
        check_key(Side::Secondary, secondary_key, secondary_relation.layout(), relaxed.relation().numbers())?;

        let mut hash = Sha256::new();
        hash.update(b"elastic-folding parameters 1, protogalaxy with a co-processor");
        for arity in [primary_step.arity, secondary_step.arity, oracles.boxes] {
            hash.update((arity as u64).to_le_bytes());
        }
        for size in [limbs.limb_width(), limbs.limbs_count()] {
            hash.update((size as u64).to_le_bytes());
        }
        hash.update(relation.digest());
        hash.update(secondary_relation.digest());
        hash.update(primary_key.digest());
        hash.update(secondary_key.digest());
        bound.iter().for_each(|digest| hash.update(digest));
        let digest = element(&hash.finalize().into());
        let challenges = [relation.layout().challenges, challenges];

        Ok(Self {
            primary: Primary { step: primary_step, relation: Arc::new(relation), fold, key: primary_key },
            secondary: Secondary {
                step: secondary_step,
                relation: Arc::new(secondary_relation),
                relaxed: Arc::new(relaxed),
                key: secondary_key,
            },
            hashes: Arc::new(Hashes { oracles, limbs, digest, challenges }),
        })
    }

    /// The primary circuit, whose rows are those of the relation.
    pub(super) fn primary_circuit(&self) -> PrimaryCircuit<'_, C1::ScalarExt, RO> {
        PrimaryCircuit { relaxed: self.hashes.relaxed() }
    }
}

fn secondary_relation<C1: NativeCurve>(step: &Arc<StepShape<C1::Base>>, rounds: usize) -> Relation<C1::Base> {
    let (values, multiplicities) = no_values(step);
    let inputs = coprocessor::Inputs::<C1> {
        commitments: vec![[C1::identity(); 2]; rounds],
        gamma: 0,
        step: StepValues { shape: step, values: &values, multiplicities: &multiplicities },
    };
    let mut circuit = Circuit::recorded();
    coprocessor::build(&mut circuit, &inputs);
    relation(circuit)
}

/// The primary relation. How many `β` it has depends on its size, which depends on how many `β` its circuit folds: tried
/// until both agree.
fn primary_relation<C1, C2, RO>(
    circuit: &PrimaryCircuit<'_, C1::ScalarExt, RO>,
    step: &Arc<StepShape<C1::ScalarExt>>,
    rounds: usize,
    (secondary, secondary_arity): (&RelaxedRelation<C2::ScalarExt>, usize),
) -> (Relation<C1::ScalarExt>, FoldShape)
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    RO: CircuitOracleFor<C1::ScalarExt>,
{
    let challenges = lookup::challenges(step);
    let (values, multiplicities) = no_values(step);
    // From below, so that each turn finds as much or more.
    let mut fold =
        FoldShape { incoming: 1, betas: 1, degree: 2, commitments: rounds, publics: 1, challenges };
    loop {
        let z = vec![C1::ScalarExt::ZERO; step.arity];
        let state = State::<C1, C2>::start(&fold, secondary, z, vec![C2::ScalarExt::ZERO; secondary_arity]);
        let proof = Proof::empty(&fold);
        let (folded, terms) = (vec![C1::identity(); rounds], vec![C2::identity(); secondary.terms()]);
        let layout = secondary.relation().layout();
        let augmented = circuit::AugmentedStepWitness {
            parameters: C1::ScalarExt::ZERO,
            secondary_next: &state.secondary,
            fold: &proof,
            folded: &folded,
            coprocessor: &vec![C2::identity(); layout.rounds.len()],
            terms: &terms,
            step: StepValues { shape: step, values: &values, multiplicities: &multiplicities },
        };
        let mut recorded = Circuit::recorded();
        circuit.build(&mut recorded, &state, &augmented);
        let relation = relation(recorded);
        let found = FoldShape::new(&relation, 1);
        if found == fold {
            return (relation, fold);
        }
        fold = found;
    }
}
