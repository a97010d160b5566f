//! A proof, as it is sent.

use halo2curves::ff::PrimeField;

use crate::snark::encoding::{self, Reader, write_scalar_list};
use crate::snark::sumcheck;

/// The most scalars that a list of a proof may have.
pub(super) const SCALARS_MAX: usize = 1 << 12;

/// Two sum-checks, and what is sent between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<F> {
    /// The weighted sum of the errors, where there are any.
    pub errors: Vec<F>,
    /// The sum-check over rows.
    pub rows: sumcheck::Proof<F>,
    /// The value of each column of inputs at the random row.
    pub inputs: Vec<F>,
    /// The sum-check over columns.
    pub columns: sumcheck::Proof<F>,
    /// The values of the rounds at the random column, then that of the errors.
    pub evaluations: Vec<F>,
}

impl<F: PrimeField> Proof<F> {
    /// Appends the canonical bytes: the fields in their order, each list behind its length in two bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_scalar_list(bytes, &self.errors);
        self.rows.write(bytes);
        write_scalar_list(bytes, &self.inputs);
        self.columns.write(bytes);
        write_scalar_list(bytes, &self.evaluations);
    }

    /// Reads what [`Proof::write`] wrote.
    ///
    /// # Errors
    /// What [`Reader`] finds wrong.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, encoding::Error> {
        Ok(Self {
            errors: reader.scalar_list(SCALARS_MAX)?,
            rows: sumcheck::Proof::read(reader)?,
            inputs: reader.scalar_list(SCALARS_MAX)?,
            columns: sumcheck::Proof::read(reader)?,
            evaluations: reader.scalar_list(SCALARS_MAX)?,
        })
    }
}
