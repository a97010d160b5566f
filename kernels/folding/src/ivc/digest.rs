//! What the digest of public parameters is made of, and its form in the circuits.

use halo2curves::ff::PrimeField;

/// 248 bits of a digest: as many as every element of the field can hold.
pub(super) fn element<F: PrimeField>(digest: &[u8; 32]) -> F {
    digest[..31].iter().rev().fold(F::ZERO, |number, byte| number * F::from(256) + F::from(u64::from(*byte)))
}

/// The tables' sizes, as the digest of parameters takes them in.
pub(super) fn table_digest([primary, secondary]: [u32; 2]) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&primary.to_le_bytes());
    bytes[4..8].copy_from_slice(&secondary.to_le_bytes());
    bytes
}
