//! What a verifier knows of the powers of tau.

use halo2curves::bn256::{G1Affine, G2Affine};

/// The three elements of a powers-of-tau key that a verifier needs. They are its trust anchor: it takes them from where
/// it trusts, and they are assumed to be in their groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifierKey {
    /// `[1]_1`, the first power of the key.
    pub g1: G1Affine,
    /// `[1]_2`.
    pub g2: G2Affine,
    /// `[τ]_2`.
    pub tau_g2: G2Affine,
}
