//! An inner-product argument, as it is sent.

use halo2curves::CurveAffine;

use super::ROUNDS_MAX;
use crate::snark::encoding::{self, ELEMENT_BYTES, Reader, write_length, write_points, write_scalars};

/// An argument over vectors of `2^k` elements: `2 k` points and a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<C: CurveAffine> {
    /// `L` of each round.
    pub left: Vec<C>,
    /// `R` of each round.
    pub right: Vec<C>,
    /// What `a` is halved down to.
    pub last: C::ScalarExt,
}

impl<C: CurveAffine> Proof<C> {
    /// Appends the canonical bytes: the number of rounds in one byte, then the fields in their order.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_length(bytes, self.left.len());
        write_points(bytes, &self.left);
        write_points(bytes, &self.right);
        write_scalars(bytes, &[self.last]);
    }

    /// Reads what [`Proof::write`] wrote.
    ///
    /// # Errors
    ///
    /// What [`Reader`] finds wrong.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, encoding::Error> {
        let rounds = reader.length(0, ROUNDS_MAX)?;
        Ok(Self { left: reader.points(rounds)?, right: reader.points(rounds)?, last: reader.scalar()? })
    }

    /// The canonical bytes: `33 + 64 k` of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(1 + ELEMENT_BYTES * (2 * self.left.len() + 1));
        self.write(&mut bytes);
        bytes
    }

    /// The proof of exactly these bytes.
    ///
    /// # Errors
    ///
    /// What [`Reader`] finds wrong, and trailing bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, encoding::Error> {
        encoding::read_exactly(bytes, Self::read)
    }
}
