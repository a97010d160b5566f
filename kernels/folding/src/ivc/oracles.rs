//! The oracle's uses, each in a separate domain.

use halo2curves::ff::PrimeField;

use super::hashing::HashedInstance;
use crate::circuit::Circuit;
use crate::poseidon::{CircuitOracleFor, InCircuit, Tag, Transcript, Values};

/// The uses of the oracle.
#[derive(Clone, Copy, Debug)]
pub(super) enum Use {
    /// The challenges of a primary instance.
    PrimaryChallenges,
    /// The challenges of a secondary instance.
    SecondaryChallenges,
    /// The digest of a primary accumulator.
    PrimaryAccumulator,
    /// The digest of a secondary accumulator.
    SecondaryAccumulator,
    /// The state hash.
    State,
    /// The first `β` of a primary accumulator.
    Lift,
    /// A fold of a primary instance.
    Fold,
    /// A fold of a secondary instance.
    CrossTerms,
}

impl Use {
    pub(super) fn tag(self) -> Tag {
        Tag::new(match self {
            Self::PrimaryChallenges => "elastic-folding 1: challenges of a primary instance",
            Self::SecondaryChallenges => "elastic-folding 1: challenges of a secondary instance",
            Self::PrimaryAccumulator => "elastic-folding 1: primary accumulator",
            Self::SecondaryAccumulator => "elastic-folding 1: secondary accumulator",
            Self::State => "elastic-folding 1: state",
            Self::Lift => "elastic-folding 1: lift",
            Self::Fold => "elastic-folding 1: fold",
            Self::CrossTerms => "elastic-folding 1: cross terms",
        })
    }
}

/// The oracle's constants, and how many S-boxes a row of the circuit takes.
#[derive(Clone, Debug)]
pub(super) struct Oracles<F: PrimeField, RO: CircuitOracleFor<F>> {
    pub(super) constants: RO::Constants,
    pub(super) boxes: usize,
}

impl<F: PrimeField, RO: CircuitOracleFor<F>> Oracles<F, RO> {
    /// An empty transcript over values.
    pub(super) fn values(&self, of: Use) -> Values<RO::Oracle, F> {
        Values::new(RO::start(&self.constants, of.tag()))
    }

    /// An empty transcript over a circuit's variables.
    pub(super) fn in_circuit<'a>(
        &self,
        circuit: &'a mut Circuit<F>,
        of: Use,
    ) -> InCircuit<'a, F, RO::InCircuit> {
        InCircuit { circuit, oracle: RO::start_in_circuit(&self.constants, of.tag(), self.boxes) }
    }
}

/// Absorbs what the first `β` are drawn from: all of the instance.
pub(super) fn absorb_lift<T: Transcript>(
    transcript: &mut T,
    parameters: &T::Element,
    instance: &HashedInstance<T::Element>,
) {
    transcript.absorb(parameters);
    instance.absorb(transcript);
}

/// Absorbs what a fold starts from: the accumulator by its digest, and all of the instance.
pub(super) fn absorb_fold<T: Transcript>(
    transcript: &mut T,
    parameters: &T::Element,
    accumulator: &T::Element,
    instance: &HashedInstance<T::Element>,
) {
    transcript.absorb(parameters);
    transcript.absorb(accumulator);
    instance.absorb(transcript);
}

/// Absorbs what an instance's challenges are drawn from: its public inputs, and its commitments but the last.
pub(super) fn absorb_challenges<T: Transcript>(
    transcript: &mut T,
    parameters: &T::Element,
    instance: &HashedInstance<T::Element>,
    elements_of_a_commitment: usize,
) {
    let before = instance.commitments.len() - elements_of_a_commitment;
    transcript.absorb(parameters);
    transcript.absorb_all(&instance.publics);
    transcript.absorb_all(&instance.commitments[..before]);
}
