//! What a key of powers of tau has in addition to its points.

use halo2curves::bn256::G2Affine;
use halo2curves::group::UncompressedEncoding;

/// The points of the second group that an opening is verified with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructuredPart {
    /// The generator.
    pub g2: G2Affine,
    /// The generator times tau.
    pub tau_g2: G2Affine,
}

impl StructuredPart {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        [self.g2, self.tau_g2].iter().flat_map(|point| point.to_uncompressed().as_ref().to_vec()).collect()
    }
}
