//! What keeps the uses of one oracle apart.

use halo2curves::ff::PrimeField;
use sha2::{Digest, Sha256};

/// A domain of the oracle: two sponges of different tags are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag(u128);

impl Tag {
    /// The tag of a label: the first 16 bytes of its SHA-256, as a little-endian number.
    #[must_use]
    pub fn new(label: &str) -> Self {
        let digest: [u8; 32] = Sha256::digest(label).into();
        Self(low_128(&digest))
    }

    /// The capacity element that a sponge starts with: the tag times 2^64. The low 64 bits are left for the number of
    /// elements that are absorbed.
    #[must_use]
    pub fn capacity<F: PrimeField>(self) -> F {
        F::from_u128(self.0) * F::from_u128(1 << 64)
    }
}

/// The low 128 bits of a little-endian number of 16 bytes or more.
pub(super) fn low_128(bytes: &[u8]) -> u128 {
    bytes.iter().take(16).rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

#[cfg(test)]
mod tests {
    use halo2curves::{bn256::Fr, ff::Field};

    use super::*;

    #[test]
    fn a_tag_leaves_the_low_64_bits_of_the_capacity_for_a_length() {
        let tag = Tag::new("label");
        assert_eq!(tag, Tag(0x1b0e_99a2_0d74_437b_2f80_5cb5_e880_ca1a), "half of the label's SHA-256");
        let capacity: Fr = tag.capacity();
        assert!(capacity.to_repr().as_ref()[..8].iter().all(|&byte| byte == 0));
        assert_eq!(capacity * Fr::from_u128(1 << 64).invert().unwrap(), Fr::from_u128(tag.0));
    }
}
