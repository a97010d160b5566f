//! What is hashed, and in which order: written once, for values and for a circuit's variables.

use crate::poseidon::Transcript;

/// The public part of an instance as elements of the primary circuit's field: points by their coordinates, what is not
/// native packed.
#[derive(Clone, Debug)]
pub(super) struct HashedInstance<E> {
    pub(super) commitments: Vec<E>,
    pub(super) publics: Vec<E>,
    pub(super) challenges: Vec<E>,
}

/// [`crate::protogalaxy::Accumulator`].
#[derive(Clone, Debug)]
pub(super) struct HashedPrimary<E> {
    pub(super) instance: HashedInstance<E>,
    pub(super) betas: Vec<E>,
    pub(super) error: E,
}

/// [`crate::cross_term::Accumulator`].
#[derive(Clone, Debug)]
pub(super) struct HashedSecondary<E> {
    pub(super) instance: HashedInstance<E>,
    pub(super) scale: Vec<E>,
    pub(super) error: Vec<E>,
}

/// All that a state hash binds in addition to the accumulators.
#[derive(Clone, Debug)]
pub(super) struct HashedState<E> {
    /// The digest of the public parameters.
    pub(super) parameters: E,
    /// How many steps were made.
    pub(super) steps: E,
    pub(super) primary_start: Vec<E>,
    pub(super) primary: Vec<E>,
    pub(super) secondary_start: Vec<E>,
    pub(super) secondary: Vec<E>,
}

impl<E> HashedInstance<E> {
    /// Absorbs all of it.
    pub(super) fn absorb<T: Transcript<Element = E>>(&self, transcript: &mut T) {
        transcript.absorb_all(&self.publics);
        transcript.absorb_all(&self.commitments);
        transcript.absorb_all(&self.challenges);
    }
}

impl<E> HashedPrimary<E> {
    /// The digest of a primary accumulator.
    pub(super) fn digest<T: Transcript<Element = E>>(&self, transcript: &mut T) -> E {
        self.instance.absorb(transcript);
        transcript.absorb_all(&self.betas);
        transcript.absorb(&self.error);
        transcript.squeeze()
    }
}

impl<E> HashedSecondary<E> {
    /// The digest of a secondary accumulator.
    pub(super) fn digest<T: Transcript<Element = E>>(&self, transcript: &mut T) -> E {
        self.instance.absorb(transcript);
        transcript.absorb_all(&self.scale);
        transcript.absorb_all(&self.error);
        transcript.squeeze()
    }
}

impl<E> HashedState<E> {
    /// The state hash: an element of full width, which an instance has as its public input.
    pub(super) fn digest<'a, T: Transcript<Element = E>>(
        &'a self,
        accumulators: impl IntoIterator<Item = &'a E>,
        transcript: &mut T,
    ) -> E {
        transcript.absorb(&self.parameters);
        transcript.absorb(&self.steps);
        for part in [&self.primary_start, &self.primary, &self.secondary_start, &self.secondary] {
            transcript.absorb_all(part);
        }
        transcript.absorb_all(accumulators);
        transcript.squeeze()
    }
}
