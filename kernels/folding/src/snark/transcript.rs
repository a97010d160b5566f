//! The Fiat-Shamir transcript: Keccak-256 over what prover and verifier have said.

use halo2curves::CurveAffine;
use halo2curves::ff::{FromUniformBytes, PrimeField};
use sha3::{Digest, Keccak256};

use super::encoding::point_bytes;

const PERSONA: &[u8] = b"NoTR";
const SEPARATOR: &[u8] = b"NoDS";

/// A transcript, of one proof or of several that are bound together: what is absorbed may be of any field or curve,
/// and so may be the challenge that is drawn.
///
/// The construction is that of the Nova library's Keccak transcript. With `K(m, b)` for the Keccak-256 hash of `m` and
/// one byte `b`, the state is the 64 bytes `K(m, 0) || K(m, 1)`; it starts at `m = "NoTR" || label`, and a challenge is
/// the new state for `m = absorbed || "NoDS" || round || state || label`, read as an integer with the least byte first
/// and reduced. What is added to it: a sequence is absorbed behind its length, so that no two sequences read alike.
#[derive(Clone, Debug)]
pub struct Transcript {
    round: u64,
    state: [u8; 64],
    absorbed: Keccak256,
}

impl Transcript {
    /// A transcript for the protocol that `label` names.
    pub fn new(label: &'static [u8]) -> Self {
        let state = both_halves(Keccak256::new_with_prefix(PERSONA).chain_update(label));
        Self { round: 0, state, absorbed: Keccak256::new() }
    }

    /// Absorbs one field element, in its canonical 32 bytes.
    pub fn absorb_scalar<F: PrimeField>(&mut self, label: &'static [u8], scalar: &F) {
        self.absorbed.update(label);
        self.absorbed.update(scalar.to_repr());
    }

    /// Absorbs field elements behind their number.
    pub fn absorb_scalars<F: PrimeField>(&mut self, label: &'static [u8], scalars: &[F]) {
        self.absorb_length(label, scalars.len());
        for scalar in scalars {
            self.absorbed.update(scalar.to_repr());
        }
    }

    /// Absorbs one point, in the 32 bytes of [`point_bytes`].
    pub fn absorb_point<C: CurveAffine>(&mut self, label: &'static [u8], point: &C) {
        self.absorbed.update(label);
        self.absorbed.update(point_bytes(point));
    }

    /// Absorbs points behind their number.
    pub fn absorb_points<C: CurveAffine>(&mut self, label: &'static [u8], points: &[C]) {
        self.absorb_length(label, points.len());
        for point in points {
            self.absorbed.update(point_bytes(point));
        }
    }

    /// Absorbs bytes behind their number.
    pub fn absorb_bytes(&mut self, label: &'static [u8], bytes: &[u8]) {
        self.absorb_length(label, bytes.len());
        self.absorbed.update(bytes);
    }

    /// Draws a challenge that depends on everything absorbed and drawn so far. 64 bytes are reduced, so its distance
    /// from uniform is below `2^-250`.
    pub fn challenge<F: FromUniformBytes<64>>(&mut self, label: &'static [u8]) -> F {
        let input = core::mem::take(&mut self.absorbed)
            .chain_update(SEPARATOR)
            .chain_update(self.round.to_le_bytes())
            .chain_update(self.state)
            .chain_update(label);
        self.state = both_halves(input);
        self.round += 1;
        F::from_uniform_bytes(&self.state)
    }

    fn absorb_length(&mut self, label: &'static [u8], length: usize) {
        self.absorbed.update(label);
        self.absorbed.update((length as u64).to_le_bytes());
    }
}

fn both_halves(input: Keccak256) -> [u8; 64] {
    let mut halves = [0; 64];
    halves[..32].copy_from_slice(&input.clone().chain_update([0]).finalize());
    halves[32..].copy_from_slice(&input.chain_update([1]).finalize());
    halves
}

#[cfg(test)]
mod tests;
