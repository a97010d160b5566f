//! Transcripts over values, and over a circuit's variables, by one name: what is hashed, and in which order, is then
//! written once for both.

use std::marker::PhantomData;

use halo2curves::ff::PrimeField;

use super::{CircuitOracle, RandomOracle};
use crate::circuit::{Circuit, Linear};

/// An oracle over elements that are values, or variables of a circuit.
pub trait Transcript {
    /// What is absorbed and squeezed.
    type Element;

    /// Takes in one element.
    fn absorb(&mut self, element: &Self::Element);

    /// An element of full width.
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
#[derive(Clone, Debug)]
pub struct Values<O, F>(pub O, PhantomData<F>);

impl<O, F> Values<O, F> {
    /// The oracle as a transcript.
    pub fn new(oracle: O) -> Self {
        Self(oracle, PhantomData)
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
#[derive(Debug)]
pub struct InCircuit<'a, F: PrimeField, O> {
    /// The circuit that it works in.
    pub circuit: &'a mut Circuit<F>,
    /// The oracle.
    pub oracle: O,
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
