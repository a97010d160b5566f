//! What is hashed, and in which order: written once, for values and for a circuit's variables.

use halo2curves::ff::PrimeField;

use crate::circuit::{Circuit, Linear};
use crate::poseidon::{CircuitOracle, RandomOracle};

/// An oracle over elements that are values, or variables of a circuit.
pub(super) trait Transcript {
    /// What is absorbed and squeezed.
    type Element;

    /// Takes in one element.
    fn absorb(&mut self, element: &Self::Element);

    /// A whole element.
    fn squeeze(&mut self) -> Self::Element;

    /// Takes in elements in order.
    fn absorb_all<'a>(&mut self, elements: impl IntoIterator<Item = &'a Self::Element>)
    where
        Self::Element: 'a,
    {
        for element in elements {
            self.absorb(element);
        }
    }
}

/// An oracle over values.
pub(super) struct Values<O, F>(pub(super) O, std::marker::PhantomData<F>);

impl<O, F> Values<O, F> {
    pub(super) fn new(oracle: O) -> Self {
        Self(oracle, std::marker::PhantomData)
    }
}

impl<F: PrimeField, O: RandomOracle<F>> Transcript for Values<O, F> {
    type Element = F;

    fn absorb(&mut self, element: &F) {
        self.0.absorb(*element);
    }

    fn squeeze(&mut self) -> F {
        self.0.squeeze()
    }
}

/// An oracle over a circuit's variables.
pub(super) struct InCircuit<'a, F: PrimeField, O> {
    pub(super) circuit: &'a mut Circuit<F>,
    pub(super) oracle: O,
}

impl<F: PrimeField, O: CircuitOracle<F>> Transcript for InCircuit<'_, F, O> {
    type Element = Linear<F>;

    fn absorb(&mut self, element: &Linear<F>) {
        self.oracle.absorb(self.circuit, element);
    }

    fn squeeze(&mut self) -> Linear<F> {
        self.oracle.squeeze(self.circuit)
    }
}

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

/// [`crate::crossterm::Accumulator`].
#[derive(Clone, Debug)]
pub(super) struct HashedSecondary<E> {
    pub(super) instance: HashedInstance<E>,
    pub(super) scale: Vec<E>,
    pub(super) error: Vec<E>,
}

/// All that a state hash binds beside the accumulators.
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
    /// The parts that challenges are drawn from: all but the challenges.
    fn absorb_committed<T: Transcript<Element = E>>(&self, transcript: &mut T) {
        transcript.absorb_all(&self.publics);
        transcript.absorb_all(&self.commitments);
    }

    fn absorb<T: Transcript<Element = E>>(&self, transcript: &mut T) {
        self.absorb_committed(transcript);
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
    /// The state hash: a whole element, which an instance has as its public input.
    pub(super) fn digest<T: Transcript<Element = E>>(&self, accumulators: [&E; 2], transcript: &mut T) -> E {
        transcript.absorb(&self.parameters);
        transcript.absorb(&self.steps);
        for part in [&self.primary_start, &self.primary, &self.secondary_start, &self.secondary] {
            transcript.absorb_all(part);
        }
        transcript.absorb_all(accumulators);
        transcript.squeeze()
    }
}
