//! The header of a cached key.
//!
//! ```text
//! offset  bytes
//!      0      8  "ELFOLDCK"
//!      8      4  version, 1
//!     12      4  k
//!     16     16  the curve's name, then zeros
//!     32     32  the seed of the generators
//!     64     32  SHA-256 of the payload
//!     96         payload: 2^k points, each x and y in 32 bytes
//! ```
//!
//! All integers are little-endian, coordinates canonical.

use crate::commitment::error::CacheFault;
use crate::commitment::generators::Seed;
use crate::commitment::{Curve, points};

const MAGIC: &[u8; 8] = b"ELFOLDCK";
const VERSION: u32 = 1;

/// The length of a header in bytes.
pub(super) const HEADER_LEN: usize = 96;

/// What the header of a key of this curve, size and seed says.
#[derive(Clone, Copy)]
pub(super) struct Header {
    curve: &'static str,
    k: u32,
    seed: Seed,
}

impl Header {
    pub(super) fn new<C: Curve>(k: usize, seed: Seed) -> Self {
        Self { curve: C::NAME, k: u32::try_from(k).expect("a size is at most 26"), seed }
    }

    /// How long the file is, in bytes.
    pub(super) fn file_len(&self) -> u64 {
        HEADER_LEN as u64 + ((points::POINT_LEN as u64) << self.k)
    }

    pub(super) fn to_bytes(self, payload_digest: &[u8; 32]) -> [u8; HEADER_LEN] {
        let mut bytes = [0; HEADER_LEN];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.k.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.curve_field());
        bytes[32..64].copy_from_slice(&self.seed.0);
        bytes[64..].copy_from_slice(payload_digest);
        bytes
    }

    /// Checks that a header says the same; the payload's digest is what is left to check.
    pub(super) fn check(&self, bytes: &[u8; HEADER_LEN]) -> Result<[u8; 32], CacheFault> {
        let integer = |at: usize| u32::from_le_bytes(std::array::from_fn(|i| bytes[at + i]));
        if &bytes[..8] != MAGIC {
            return Err(CacheFault::NotAKey);
        }
        if integer(8) != VERSION {
            return Err(CacheFault::Version { found: integer(8), wanted: VERSION });
        }
        if bytes[16..32] != self.curve_field() {
            return Err(CacheFault::Curve { wanted: self.curve });
        }
        if integer(12) != self.k {
            return Err(CacheFault::Size { found: integer(12), wanted: self.k });
        }
        if bytes[32..64] != self.seed.0 {
            return Err(CacheFault::Derivation);
        }
        Ok(std::array::from_fn(|i| bytes[64 + i]))
    }

    fn curve_field(&self) -> [u8; 16] {
        std::array::from_fn(|i| self.curve.as_bytes().get(i).copied().unwrap_or(0))
    }
}
