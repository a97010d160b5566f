//! The Grain LFSR in self-shrinking mode, from which Poseidon's constants are drawn (eprint 2019/458, appendix F; as
//! hadeshash's `generate_parameters_grain.sage` does it).

use halo2curves::{bn256::Fr, ff::PrimeField};

const FIELD_BITS: usize = 254;
const STATE_BITS: usize = 80;
const WARM_UP_BITS: usize = 160;

/// A source of field elements that the permutation's shape seeds.
pub(super) struct Grain {
    /// The next bits of the register, the first lowest.
    state: u128,
}

impl Grain {
    /// For a prime field of 254 bits and the S-box x^5.
    pub(super) fn new(width: u32, full_rounds: u32, partial_rounds: u32) -> Self {
        let ones = (0x3fff_ffff, 30);
        let (prime_field, power) = ((1, 2), (0, 4));
        let fields =
            [prime_field, power, (254, 12), (width, 12), (full_rounds, 10), (partial_rounds, 10), ones];
        let bits =
            fields.iter().flat_map(|&(value, length)| (0..length).rev().map(move |at| value >> at & 1));
        let state = bits.enumerate().fold(0, |state, (at, bit)| state | u128::from(bit) << at);
        let mut grain = Self { state };
        for _ in 0..WARM_UP_BITS {
            grain.shift();
        }
        grain
    }

    fn shift(&mut self) -> bool {
        let taps = [62, 51, 38, 23, 13, 0];
        let bit = taps.iter().fold(0, |bit, tap| bit ^ (self.state >> tap & 1));
        self.state = self.state >> 1 | bit << (STATE_BITS - 1);
        bit == 1
    }

    /// Of each pair of bits the second, if the first is set.
    fn bit(&mut self) -> bool {
        loop {
            let (keep, bit) = (self.shift(), self.shift());
            if keep {
                return bit;
            }
        }
    }

    /// 254 bits, the highest first, as little-endian bytes.
    fn draw(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        for at in (0..FIELD_BITS).rev() {
            bytes[at / 8] |= u8::from(self.bit()) << (at % 8);
        }
        bytes
    }

    /// A draw that is not below the field's order is skipped: round constants.
    pub(super) fn element_by_rejection(&mut self) -> Fr {
        loop {
            if let Some(element) = Option::from(Fr::from_repr(self.draw().into())) {
                return element;
            }
        }
    }

    /// A draw is reduced: the matrix.
    pub(super) fn element_by_reduction(&mut self) -> Fr {
        let radix = Fr::from(256);
        self.draw().iter().rev().fold(Fr::from(0), |sum, &byte| sum * radix + Fr::from(u64::from(byte)))
    }
}
