//! A compressed proof.

use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::grumpkin;

use crate::snark::accumulators;
use crate::{cross_term, protogalaxy};

/// A computation's proof, compressed: [`IVC::compress`](super::super::IVC::compress) makes it,
/// [`CompressedProof::verify`] checks it against a number of steps and inputs, [`CompressedProof::to_bytes`] has it as it
/// is sent. It is of some 10 KB, whatever the number of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompressedProof<const A1: usize, const A2: usize> {
    /// What the primary steps computed.
    pub(super) primary_output: [Fr; A1],
    /// What the secondary steps computed.
    pub(super) secondary_output: [grumpkin::Fr; A2],
    /// All primary instances but the last.
    pub(super) accumulator: protogalaxy::Accumulator<G1Affine>,
    /// The commitments of the last one.
    pub(super) last: Vec<G1Affine>,
    /// How that is folded into the accumulator; without coefficients after one step, when it is lifted.
    pub(super) fold: protogalaxy::Proof<Fr>,
    /// All secondary instances.
    pub(super) secondary_accumulator: cross_term::Accumulator<grumpkin::G1Affine>,
    /// That the claims of both accumulators hold, the last instance folded in.
    pub(super) accumulators: accumulators::Proof,
}
