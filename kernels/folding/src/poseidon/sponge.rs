//! The sponge over the permutation.

use halo2curves::ff::PrimeField;

use super::{Spec, Tag, oracle::RandomOracle};

/// A sponge of `RATE = T - 1` elements a block, and one of capacity (element 0 of the state), as in SAFE (Aumasson,
/// Khovratovich, Mennink, Quine, eprint 2023/522) but with lengths put in as they become known.
///
/// - It starts as `(tag, 0, …, 0)` with [`Tag::capacity`].
/// - Absorbed elements are added to the elements 1 to `RATE` in order. Before the next element of a full block, the
///   state is permuted. A block that is not full is as if padded by zeros.
/// - The first squeeze after absorbing adds the number of elements absorbed since the last squeeze (or the start) to
///   the capacity, permutes, and gives element 1. Squeezes in a row give the elements 2 to `RATE`; then the state is
///   permuted again, with nothing added, and they continue at element 1.
/// - Absorbing after a squeeze adds to the state from element 1 on without permuting first.
///
/// So the blocks and lengths that go in, and with them what comes out, belong to one transcript only: a length is
/// added at the end of a run of absorbed elements and is not 0, which separates such a run from blocks of zeros and from
/// longer or shorter ones. How many elements were squeezed out of one block is not bound; the protocol fixes it.
#[derive(Debug, Clone)]
pub struct Sponge<F: PrimeField, const T: usize, const RATE: usize> {
    spec: Spec<F, T, RATE>,
    state: [F; T],
    phase: Phase,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    /// `filled` elements of this block, `length` elements since the phase began.
    Absorbing { filled: usize, length: u64 },
    /// `taken` elements of this block.
    Squeezing { taken: usize },
}

impl<F: PrimeField, const T: usize, const RATE: usize> Sponge<F, T, RATE> {
    /// An empty sponge in the domain of `tag`.
    #[must_use]
    pub fn new(spec: &Spec<F, T, RATE>, tag: Tag) -> Self {
        let mut state = [F::ZERO; T];
        state[0] = tag.capacity();
        Self { spec: spec.clone(), state, phase: Phase::Absorbing { filled: 0, length: 0 } }
    }
}

impl<F: PrimeField, const T: usize, const RATE: usize> RandomOracle<F> for Sponge<F, T, RATE> {
    fn absorb(&mut self, element: F) {
        let (mut filled, length) = match self.phase {
            Phase::Absorbing { filled, length } => (filled, length),
            Phase::Squeezing { .. } => (0, 0),
        };
        if filled == RATE {
            self.spec.permute(&mut self.state);
            filled = 0;
        }
        self.state[1 + filled] += element;
        self.phase = Phase::Absorbing { filled: filled + 1, length: length + 1 };
    }

    fn squeeze(&mut self) -> F {
        let taken = match self.phase {
            Phase::Absorbing { length, .. } => {
                self.state[0] += F::from(length);
                self.spec.permute(&mut self.state);
                0
            }
            Phase::Squeezing { taken } if taken == RATE => {
                self.spec.permute(&mut self.state);
                0
            }
            Phase::Squeezing { taken } => taken,
        };
        self.phase = Phase::Squeezing { taken: taken + 1 };
        self.state[1 + taken]
    }
}

#[cfg(test)]
mod tests;
