//! Scalars in signed digits.

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

/// The widest window.
pub(super) const BITS_MAX: usize = 16;

/// Scalars, to be read in windows of some bits.
pub(super) struct Digits {
    words: Vec<[u64; 5]>,
    bits: usize,
    windows: usize,
}

/// How many windows of `bits` bits a scalar takes, and one bit more for its sign.
pub(super) fn windows<F: PrimeField>(bits: usize) -> usize {
    (F::NUM_BITS as usize + 1).div_ceil(bits)
}

impl Digits {
    pub(super) fn new<F: PrimeField>(scalars: impl IndexedParallelIterator<Item = F>, bits: usize) -> Self {
        let words = scalars.map(|scalar| words(&scalar)).collect();
        Self { words, bits, windows: windows::<F>(bits) }
    }

    pub(super) fn bits(&self) -> usize {
        self.bits
    }

    pub(super) fn windows(&self) -> usize {
        self.windows
    }

    /// The digit of each scalar in a window, between `-2^(bits - 1)` and `2^(bits - 1)`: the window's bits as a signed
    /// number, and the top bit of the window before, which that one took for a sign.
    pub(super) fn of_window(&self, window: usize) -> impl Iterator<Item = i32> {
        let (start, bits) = (window * self.bits, self.bits);
        self.words.iter().map(move |words| {
            // One bit more, from below.
            let read = if window == 0 { read(words, 0, bits) << 1 } else { read(words, start - 1, bits + 1) };
            let value = read.div_ceil(2);
            let sign = read >> bits << bits;
            value as i32 - sign as i32
        })
    }
}

/// The integer of a scalar, lowest word first, and zeros.
fn words<F: PrimeField>(scalar: &F) -> [u64; 5] {
    let mut words = [0; 5];
    for (word, bytes) in words.iter_mut().zip(scalar.to_repr().as_ref().chunks(8)) {
        let mut all = [0; 8];
        all[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(all);
    }
    words
}

/// `count` bits from `start` on, at most 17; zeros behind the end.
fn read(words: &[u64; 5], start: usize, count: usize) -> u32 {
    let (word, shift) = (start / 64, start % 64);
    let low = words[word] >> shift;
    let high = if shift == 0 { 0 } else { words[(word + 1).min(4)] << (64 - shift) };
    u32::try_from((low | high) & ((1 << count) - 1)).unwrap_or_default()
}
