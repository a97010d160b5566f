//! The rounds of a sum-check, as they are sent.

use halo2curves::ff::PrimeField;

use super::{DEGREE_MAX, VARIABLES_MAX};
use crate::snark::encoding::{self, Reader, write_length, write_scalars};

/// A polynomial a round, each by its coefficients of degree 0, 2, 3, …: the linear one is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<F> {
    /// The degree of each polynomial, which is also how many coefficients are sent of it.
    pub degree: usize,
    /// The coefficients, round after round.
    pub coefficients: Vec<F>,
}

impl<F: PrimeField> Proof<F> {
    /// Appends the canonical bytes: rounds and degree in one byte each, then the coefficients.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_length(bytes, self.coefficients.len() / self.degree.max(1));
        write_length(bytes, self.degree);
        write_scalars(bytes, &self.coefficients);
    }

    /// Reads what [`Proof::write`] wrote.
    ///
    /// # Errors
    ///
    /// What [`Reader`] finds wrong.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, encoding::Error> {
        let rounds = reader.length(0, VARIABLES_MAX)?;
        let degree = reader.length(1, DEGREE_MAX)?;
        Ok(Self { degree, coefficients: reader.scalars(rounds * degree)? })
    }

    /// The canonical bytes: `2 + 32 · rounds · degree` of them.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(2 + encoding::ELEMENT_BYTES * self.coefficients.len());
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
