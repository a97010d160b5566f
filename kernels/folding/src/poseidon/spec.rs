//! All that defines a permutation of one width.

use std::sync::Arc;

use grain::Grain;
use halo2curves::ff::PrimeField;
use sha2::{Digest, Sha256};

use super::{Error, Recurrence, cauchy, matrix::Matrix, reference, tag::low_128};

/// The Poseidon permutation of `T` elements over the prime field `F`, used as a sponge of `RATE = T - 1`. Copies share
/// the constants.
///
/// The width is checked when this is compiled: `T` from 2 to 17, `RATE = T - 1`.
#[derive(Debug, Clone)]
pub struct Spec<F, const T: usize, const RATE: usize>(Arc<Parameters<F, T>>);

#[derive(Debug)]
struct Parameters<F, const T: usize> {
    full_rounds: usize,
    round_constants: Vec<[F; T]>,
    mds: Matrix<F, T>,
    recurrence: Recurrence<F, T>,
    digest: [u8; 32],
}

impl<F: PrimeField, const T: usize, const RATE: usize> Spec<F, T, RATE> {
    const REFERENCE_PARTIAL_ROUNDS: usize = {
        assert!(RATE + 1 == T, "one element of the state is capacity");
        match reference::partial_rounds(T) {
            Some(rounds) => rounds,
            None => panic!("the reference has widths 2 to 17"),
        }
    };

    /// Draws the constants of a permutation of the given rounds. Fewer than [`Self::reference`] has are allowed; see
    /// [`Self::is_below_reference`].
    ///
    /// # Errors
    ///
    /// [`Error`], on rounds that do not make a permutation, and on fields over which it does not work.
    pub fn new(full_rounds: usize, partial_rounds: usize) -> Result<Self, Error> {
        const { assert!(Self::REFERENCE_PARTIAL_ROUNDS > 0) };
        if !full_rounds.is_multiple_of(2) || !(2..1024).contains(&full_rounds) {
            return Err(Error::FullRounds(full_rounds));
        }
        if !(T..1024).contains(&partial_rounds) {
            return Err(Error::PartialRounds { partial_rounds, width: T });
        }
        check_field::<F>()?;
        let mut grain = Grain::new(T, full_rounds, partial_rounds);
        let round_constants: Vec<[F; T]> = (0..full_rounds + partial_rounds)
            .map(|_| std::array::from_fn(|_| grain.element_by_rejection()))
            .collect();
        let mds = cauchy::draw(&mut grain);
        let partial_end = full_rounds / 2 + partial_rounds;
        let partial = &round_constants[full_rounds / 2..partial_end];
        let recurrence = Recurrence::new(&mds, partial, &round_constants[partial_end])?;
        let digest = digest(full_rounds, &round_constants, &mds);
        Ok(Self(Arc::new(Parameters { full_rounds, round_constants, mds, recurrence, digest })))
    }

    /// The permutation with the rounds of the reference ([`super::FULL_ROUNDS`], [`super::partial_rounds`]).
    ///
    /// # Errors
    ///
    /// As [`Self::new`], on fields over which it does not work. The scalars of bn256 and grumpkin are not such.
    pub fn reference() -> Result<Self, Error> {
        Self::new(reference::FULL_ROUNDS, Self::REFERENCE_PARTIAL_ROUNDS)
    }

    /// Whether there are fewer full or partial rounds than the reference has, so that 128 bits of security are not
    /// claimed by anyone.
    #[must_use]
    pub fn is_below_reference(&self) -> bool {
        self.full_rounds() < reference::FULL_ROUNDS || self.partial_rounds() < Self::REFERENCE_PARTIAL_ROUNDS
    }

    /// Rounds with an S-box on every element: half before the partial ones, half after.
    #[must_use]
    pub fn full_rounds(&self) -> usize {
        self.0.full_rounds
    }

    /// Rounds with an S-box on the first element alone.
    #[must_use]
    pub fn partial_rounds(&self) -> usize {
        self.0.round_constants.len() - self.0.full_rounds
    }

    /// What each round adds to the state before its S-boxes.
    #[must_use]
    pub fn round_constants(&self) -> &[[F; T]] {
        &self.0.round_constants
    }

    /// The matrix that mixes the state after a round's S-boxes, row by row.
    #[must_use]
    pub fn mds(&self) -> &[[F; T]; T] {
        &self.0.mds
    }

    /// The partial rounds as linear maps.
    #[must_use]
    pub fn recurrence(&self) -> &Recurrence<F, T> {
        &self.0.recurrence
    }

    /// SHA-256 of a label, -1, the width, the number of full rounds, that of all rounds, the round constants and the matrix:
    /// numbers in 8 bytes and elements in their encoding, all little-endian.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.0.digest
    }
}

/// The encoding and size that drawing constants and squeezing challenges build on, and x^5 a permutation.
fn check_field<F: PrimeField>() -> Result<(), Error> {
    let low = F::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10).to_repr();
    let is_little_endian = low_128(low.as_ref()) == 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10;
    if !is_little_endian || !(200..=256).contains(&F::NUM_BITS) {
        return Err(Error::Field);
    }
    // 256 = 1 modulo 5, so the order of the multiplicative group, which is what -1 is encoded as, has the remainder of
    // the sum of its bytes.
    let digits: u32 = (-F::ONE).to_repr().as_ref().iter().map(|&byte| u32::from(byte)).sum();
    if digits.is_multiple_of(5) { Err(Error::SBox) } else { Ok(()) }
}

fn digest<F: PrimeField, const T: usize>(full: usize, constants: &[[F; T]], mds: &[[F; T]; T]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(b"elastic-folding poseidon x^5, capacity 1, version 1\n");
    hasher.update((-F::ONE).to_repr());
    for number in [T, full, constants.len()] {
        hasher.update((number as u64).to_le_bytes());
    }
    for element in constants.iter().chain(mds).flatten() {
        hasher.update(element.to_repr());
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests;
