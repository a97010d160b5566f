//! The Grain LFSR in self-shrinking mode, from which the Poseidon paper draws round constants and the matrix
//! (ePrint 2019/458, appendix F; hadeshash `generate_parameters_grain.sage`).

use halo2_axiom::halo2curves::{bn256::Fr, ff::PrimeField};

/// Bits of a field element, as the generator's `n`.
const FIELD_BITS: u32 = 254;
const STATE_BITS: usize = 80;
/// The first bits are thrown away, so that the output does not start in the seed.
const WARM_UP_BITS: usize = 160;

/// A source of pseudorandom field elements that anyone can run again: nothing up the sleeve.
pub(crate) struct Grain {
    state: [bool; STATE_BITS],
    position: usize,
}

impl Grain {
    /// Seeds the generator with the shape of the permutation: prime field, S-box x^alpha, 254 bits, the
    /// width `t`, full and partial rounds, then ones.
    pub(crate) fn new(width: usize, full_rounds: usize, partial_rounds: usize) -> Self {
        let seed = [
            (1, 2),
            (0, 4),
            (u64::from(FIELD_BITS), 12),
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

    /// 254 bits, most significant first, as little-endian bytes.
    fn draw(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for index in (0..FIELD_BITS as usize).rev() {
            bytes[index / 8] |= u8::from(self.bit()) << (index % 8);
        }
        bytes
    }

    /// A round constant: draws that are not below the modulus are skipped.
    pub(crate) fn element_by_rejection(&mut self) -> Fr {
        loop {
            if let Some(element) = Fr::from_repr_vartime(self.draw()) {
                return element;
            }
        }
    }

    /// An element of the matrix: here the reference reduces modulo the field instead of skipping.
    pub(crate) fn element_by_reduction(&mut self) -> Fr {
        let bytes = self.draw();
        let low = u128::from_le_bytes(bytes[..16].try_into().expect("16 bytes"));
        let high = u128::from_le_bytes(bytes[16..].try_into().expect("16 bytes"));
        let two_to_64 = Fr::from(1 << 32) * Fr::from(1 << 32);
        Fr::from_u128(high) * two_to_64 * two_to_64 + Fr::from_u128(low)
    }
}
