//! The Grain LFSR in self-shrinking mode, from which the Poseidon paper draws round constants and the matrix
//! (eprint 2019/458, appendix F; hadeshash `generate_parameters_grain.sage`).

use std::marker::PhantomData;

use ff::PrimeField;

const STATE_BITS: usize = 80;
/// The first bits are discarded, so that the output does not start in the seed.
const WARM_UP_BITS: usize = 160;

/// A source of pseudorandom elements of a prime field whose encoding is little-endian. Anyone can run it again: there is
/// nothing up the sleeve.
#[derive(Clone, Debug)]
pub struct Grain<F> {
    state: [bool; STATE_BITS],
    position: usize,
    field: PhantomData<F>,
}

impl<F: PrimeField> Grain<F> {
    /// Seeds the generator with the shape of the permutation: prime field, S-box x^alpha, the field's bits, the
    /// width `t`, full and partial rounds, then ones.
    #[must_use]
    pub fn new(width: usize, full_rounds: usize, partial_rounds: usize) -> Self {
        let seed = [
            (1, 2),
            (0, 4),
            (u64::from(F::NUM_BITS), 12),
            (width as u64, 12),
            (full_rounds as u64, 10),
            (partial_rounds as u64, 10),
            (0x3fff_ffff, 30),
        ];
        let mut state = [false; STATE_BITS];
        let bits = seed.iter().flat_map(|&(value, len)| (0..len).rev().map(move |i| value >> i & 1 == 1));
        for (cell, bit) in state.iter_mut().zip(bits) {
            *cell = bit;
        }
        let mut grain = Self { state, position: 0, field: PhantomData };
        for _ in 0..WARM_UP_BITS {
            grain.shift();
        }
        grain
    }

    /// Shifts the register once: `b(i+80) = b(i+62) + b(i+51) + b(i+38) + b(i+23) + b(i+13) + b(i)`.
    fn shift(&mut self) -> bool {
        let at = |offset: usize| self.state[(self.position + offset) % STATE_BITS];
        let bit = at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0);
        self.state[self.position] = bit;
        self.position = (self.position + 1) % STATE_BITS;
        bit
    }

    /// Self-shrinking: of each pair of bits the second is output if the first is set.
    fn bit(&mut self) -> bool {
        loop {
            let is_output = self.shift();
            let bit = self.shift();
            if is_output {
                return bit;
            }
        }
    }

    /// As many bits as the field has, most significant first, as a little-endian number that may not be reduced.
    fn draw(&mut self) -> F::Repr {
        let mut repr = F::Repr::default();
        for index in (0..F::NUM_BITS as usize).rev() {
            repr.as_mut()[index / 8] |= u8::from(self.bit()) << (index % 8);
        }
        repr
    }

    /// A round constant: draws that are not below the modulus are skipped.
    pub fn element_by_rejection(&mut self) -> F {
        loop {
            if let Some(element) = F::from_repr_vartime(self.draw()) {
                return element;
            }
        }
    }

    /// An element of the matrix: here the reference reduces modulo the field instead of skipping.
    pub fn element_by_reduction(&mut self) -> F {
        let base = F::from(256);
        let repr = self.draw();
        repr.as_ref().iter().rev().fold(F::ZERO, |sum, &byte| sum * base + F::from(u64::from(byte)))
    }
}
