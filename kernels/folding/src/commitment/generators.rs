//! Generators that nobody knows a relation between.
//!
//! The derivation is written out in [`crate::commitment`]. It is hashing to a curve by trial (Boneh, Lynn, Shacham, "Short signatures from
//! the Weil pairing", section 3.3), which has the uniform distribution over points but the identity; it need not take
//! constant time, as all is public. A point depends on its index alone, so any one can be derived alone, and a key
//! is a prefix of each larger key of the same label.

use halo2curves::ff::{Field, PrimeField};
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

use super::Curve;

const DOMAIN: &[u8] = b"elastic-folding generators v1";

/// What all generators of a curve and label are derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seed(pub(super) [u8; 32]);

impl Seed {
    pub(super) fn new<C: Curve>(label: &[u8]) -> Self {
        let mut hash = Sha256::new();
        Digest::update(&mut hash, DOMAIN);
        for part in [C::NAME.as_bytes(), label] {
            Digest::update(&mut hash, (part.len() as u64).to_le_bytes());
            Digest::update(&mut hash, part);
        }
        Self(hash.finalize().into())
    }

    /// The generator at an index.
    pub(super) fn generator<C: Curve>(&self, index: usize) -> C {
        (0..).find_map(|attempt| self.attempt(index, attempt)).expect("half of all abscissas have a point")
    }

    /// The first `count` generators, on all threads.
    pub(super) fn generators<C: Curve>(&self, count: usize) -> Vec<C> {
        (0..count).into_par_iter().with_min_len(16).map(|index| self.generator(index)).collect()
    }

    fn attempt<C: Curve>(&self, index: usize, attempt: u32) -> Option<C> {
        let mut hash = Shake256::default();
        hash.update(&self.0);
        hash.update(&(index as u64).to_le_bytes());
        hash.update(&attempt.to_le_bytes());
        let mut bytes = [0; 65];
        hash.finalize_xof().read(&mut bytes);
        let x = reduced::<C::Base>(&bytes[..64]);
        let y = C::sqrt(x.square() * x + C::b())?;
        let y = if bool::from(y.is_odd()) == (bytes[64] & 1 == 1) { y } else { -y };
        Some(C::from_known_xy(x, y))
    }
}

/// A little-endian integer modulo the field's.
fn reduced<F: PrimeField>(bytes: &[u8]) -> F {
    let (digits, _) = bytes.as_chunks::<16>();
    let base = F::from_u128(1 << 127).double();
    digits.iter().rev().fold(F::ZERO, |sum, digit| sum * base + F::from_u128(u128::from_le_bytes(*digit)))
}
