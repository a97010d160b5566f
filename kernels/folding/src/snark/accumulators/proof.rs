//! A proof, as it is sent.

use halo2curves::bn256::Fr;
use halo2curves::grumpkin;

use crate::snark::encoding::{self, Reader};
use crate::snark::{hyperkzg, ipa, spartan};

/// A sum of constraints and an opening for each of the two accumulators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The primary accumulator's claim.
    pub primary: spartan::Proof<Fr>,
    /// The evaluations of its commitments.
    pub primary_opening: hyperkzg::Proof,
    /// The secondary accumulator's claim.
    pub secondary: spartan::Proof<grumpkin::Fr>,
    /// The evaluations of its commitments.
    pub secondary_opening: ipa::Proof<grumpkin::G1Affine>,
}

impl Proof {
    /// Appends the canonical bytes: the fields in their order.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        self.primary.write(bytes);
        self.primary_opening.write(bytes);
        self.secondary.write(bytes);
        self.secondary_opening.write(bytes);
    }

    /// Reads what [`Proof::write`] wrote.
    ///
    /// # Errors
    /// What [`Reader`] finds wrong.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, encoding::Error> {
        Ok(Self {
            primary: spartan::Proof::read(reader)?,
            primary_opening: hyperkzg::Proof::read(reader)?,
            secondary: spartan::Proof::read(reader)?,
            secondary_opening: ipa::Proof::read(reader)?,
        })
    }

    /// The canonical bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    /// The proof of exactly these bytes.
    ///
    /// # Errors
    /// What [`Reader`] finds wrong, and trailing bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, encoding::Error> {
        encoding::read_exactly(bytes, Self::read)
    }
}
