//! The oracle inside a circuit: the same sponge, bound to what it hashes because it works on the circuit's own variables.

use halo2curves::ff::PrimeField;

use super::{PoseidonRo, RandomOracleFor, Spec, Tag};
use crate::circuit::{Circuit, Linear};

mod gates;
mod permutation;

#[cfg(test)]
mod tests;

/// A transcript in a circuit: gives the same elements as [`super::RandomOracle`] does for the same values.
pub trait CircuitOracle<F: PrimeField> {
    /// Takes in one element.
    fn absorb(&mut self, circuit: &mut Circuit<F>, element: &Linear<F>);

    /// Takes in elements in order.
    fn absorb_all<'a>(&mut self, circuit: &mut Circuit<F>, elements: impl IntoIterator<Item = &'a Linear<F>>)
    where
        F: 'a,
    {
        for element in elements {
            self.absorb(circuit, element);
        }
    }

    /// A field element of full width.
    fn squeeze(&mut self, circuit: &mut Circuit<F>) -> Linear<F>;
}

/// An oracle that circuits have too.
pub trait CircuitOracleFor<F: PrimeField>: RandomOracleFor<F> {
    /// The oracle in a circuit.
    type InCircuit: CircuitOracle<F> + Clone;

    /// An empty transcript in the domain of `tag`. A row of the circuit takes `boxes` S-boxes, the size of its main gate.
    fn start_in_circuit(constants: &Self::Constants, tag: Tag, boxes: usize) -> Self::InCircuit;
}

impl<F: PrimeField, const T: usize, const RATE: usize> CircuitOracleFor<F> for PoseidonRo<T, RATE> {
    type InCircuit = CircuitSponge<F, T, RATE>;

    fn start_in_circuit(constants: &Self::Constants, tag: Tag, boxes: usize) -> Self::InCircuit {
        CircuitSponge::new(constants, tag, boxes)
    }
}

/// [`super::Sponge`] in a circuit.
#[derive(Clone, Debug)]
pub struct CircuitSponge<F: PrimeField, const T: usize, const RATE: usize> {
    spec: Spec<F, T, RATE>,
    boxes: usize,
    state: [Linear<F>; T],
    phase: Phase,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// `filled` elements of this block, `length` elements since the phase began.
    Absorbing { filled: usize, length: u64 },
    /// `taken` elements of this block.
    Squeezing { taken: usize },
}

impl<F: PrimeField, const T: usize, const RATE: usize> CircuitSponge<F, T, RATE> {
    /// An empty sponge in the domain of `tag`, with up to `boxes` partial rounds a row.
    #[must_use]
    pub fn new(spec: &Spec<F, T, RATE>, tag: Tag, boxes: usize) -> Self {
        let mut state = std::array::from_fn(|_| Linear::zero());
        state[0] = Linear::constant(tag.capacity());
        Self { spec: spec.clone(), boxes, state, phase: Phase::Absorbing { filled: 0, length: 0 } }
    }

    fn permute(&mut self, circuit: &mut Circuit<F>) {
        self.state = permutation::permute(&self.spec, self.boxes, circuit, &self.state);
    }
}

impl<F: PrimeField, const T: usize, const RATE: usize> CircuitOracle<F> for CircuitSponge<F, T, RATE> {
    fn absorb(&mut self, circuit: &mut Circuit<F>, element: &Linear<F>) {
        let (mut filled, length) = match self.phase {
            Phase::Absorbing { filled, length } => (filled, length),
            Phase::Squeezing { .. } => (0, 0),
        };
        if filled == RATE {
            self.permute(circuit);
            filled = 0;
        }
        self.state[1 + filled] = &self.state[1 + filled] + element;
        self.phase = Phase::Absorbing { filled: filled + 1, length: length + 1 };
    }

    fn squeeze(&mut self, circuit: &mut Circuit<F>) -> Linear<F> {
        let taken = match self.phase {
            Phase::Absorbing { length, .. } => {
                self.state[0] = &self.state[0] + &Linear::constant(F::from(length));
                self.permute(circuit);
                0
            }
            Phase::Squeezing { taken } if taken == RATE => {
                self.permute(circuit);
                0
            }
            Phase::Squeezing { taken } => taken,
        };
        self.phase = Phase::Squeezing { taken: taken + 1 };
        self.state[1 + taken].clone()
    }
}
