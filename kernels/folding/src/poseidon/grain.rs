//! The Grain LFSR in self-shrinking mode, from which round constants and the matrix are drawn (eprint 2019/458,
//! appendix F; hadeshash `generate_parameters_grain.sage`).

use halo2curves::ff::PrimeField;

const STATE_BITS: usize = 80;
/// The first bits are thrown away, so that the output does not start in the seed.
const WARM_UP_BITS: usize = 160;

/// A source of pseudorandom field elements that anyone can run again: nothing up the sleeve.
pub(super) struct Grain {
    state: [bool; STATE_BITS],
    position: usize,
}

impl Grain {
    /// Seeds the generator with the shape of the permutation: prime field, S-box x^alpha, the field's bits, the
    /// width, full and partial rounds, then ones.
    pub(super) fn new(field_bits: u32, width: usize, full_rounds: usize, partial_rounds: usize) -> Self {
        let seed = [
            (1, 2),
            (0, 4),
            (u64::from(field_bits), 12),
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
        let mut grain = Self { state, position: 0 };
        for _ in 0..WARM_UP_BITS {
            grain.shift();
        }
        grain
    }

    /// One step of the register `b(i+80) = b(i+62) + b(i+51) + b(i+38) + b(i+23) + b(i+13) + b(i)`.
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
            let keep = self.shift();
            let bit = self.shift();
            if keep {
                return bit;
            }
        }
    }

    /// As many bits as the field has, most significant first, as a little-endian number that may not be reduced.
    fn draw<F: PrimeField>(&mut self) -> F::Repr {
        let mut repr = F::Repr::default();
        for index in (0..F::NUM_BITS as usize).rev() {
            repr.as_mut()[index / 8] |= u8::from(self.bit()) << (index % 8);
        }
        repr
    }

    /// A round constant: draws that are not below the modulus are skipped.
    pub(super) fn element_by_rejection<F: PrimeField>(&mut self) -> F {
        loop {
            if let Some(element) = F::from_repr_vartime(self.draw::<F>()) {
                return element;
            }
        }
    }

    /// An element of the matrix: here the reference reduces modulo the field instead of skipping.
    pub(super) fn element_by_reduction<F: PrimeField>(&mut self) -> F {
        let base = F::from(256);
        let repr = self.draw::<F>();
        repr.as_ref().iter().rev().fold(F::ZERO, |sum, &byte| sum * base + F::from(u64::from(byte)))
    }
}
