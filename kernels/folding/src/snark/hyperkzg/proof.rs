//! An opening, as it is sent.

use halo2curves::bn256::{Fr, G1Affine};

use super::VARIABLES_MAX;
use crate::snark::encoding::{self, ELEMENT_BYTES, Reader, write_length, write_points, write_scalars};

/// An opening at a point of `n` coordinates: `n + 1` points and `n` scalars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Commitments to the polynomial with the last 1, 2, …, n - 1 variables bound.
    pub folds: Vec<G1Affine>,
    /// For each fold, the value of its odd less its even coefficients: the `d_i` of [the module](super).
    pub differences: Vec<Fr>,
    /// The commitment to the quotient of all polynomials by where they are opened.
    pub quotient: G1Affine,
    /// The witness that the batch is right at one more point.
    pub witness: G1Affine,
}

impl Proof {
    /// Appends the canonical bytes: the number of variables in one byte, then the fields in their order.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_length(bytes, self.differences.len());
        write_points(bytes, &self.folds);
        write_scalars(bytes, &self.differences);
        write_points(bytes, &[self.quotient, self.witness]);
    }

    /// Reads what [`Proof::write`] wrote.
    ///
    /// # Errors
    ///
    /// What [`Reader`] finds wrong.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, encoding::Error> {
        let variables = reader.length(1, VARIABLES_MAX)?;
        Ok(Self {
            folds: reader.points(variables - 1)?,
            differences: reader.scalars(variables)?,
            quotient: reader.point()?,
            witness: reader.point()?,
        })
    }

    /// The canonical bytes: `33 + 64 n` of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(1 + ELEMENT_BYTES * (2 * self.differences.len() + 1));
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
