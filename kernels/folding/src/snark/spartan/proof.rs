//! A proof, as it is sent.

use halo2curves::ff::PrimeField;

use crate::snark::encoding::{self, Reader, write_scalars};
use crate::snark::sumcheck;

/// The most scalars that a list of a proof may have.
pub const SCALARS_MAX: usize = 1 << 12;

/// Two sum-checks, and what stands between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<F> {
    /// The sum of each group but the first over its padded rows, then that of the errors.
    pub sums: Vec<F>,
    /// The sum-check over rows.
    pub rows: sumcheck::Proof<F>,
    /// The values at the random row of the inputs that read committed entries, group by group.
    pub inputs: Vec<F>,
    /// The sum-check over columns.
    pub columns: sumcheck::Proof<F>,
    /// The values of the rounds at the random column, then that of the errors.
    pub evaluations: Vec<F>,
}

impl<F: PrimeField> Proof<F> {
    /// Appends the canonical bytes: the fields in their order, each list behind its length in two bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        write_list(bytes, &self.sums);
        self.rows.write(bytes);
        write_list(bytes, &self.inputs);
        self.columns.write(bytes);
        write_list(bytes, &self.evaluations);
    }

    /// Reads what [`Proof::write`] wrote.
    ///
    /// # Errors
    /// What [`Reader`] finds wrong.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, encoding::Error> {
        Ok(Self {
            sums: read_list(reader)?,
            rows: sumcheck::Proof::read(reader)?,
            inputs: read_list(reader)?,
            columns: sumcheck::Proof::read(reader)?,
            evaluations: read_list(reader)?,
        })
    }
}

/// A list behind its length, least byte first. A length that does not fit is written as one above every cap.
fn write_list<F: PrimeField>(bytes: &mut Vec<u8>, scalars: &[F]) {
    bytes.extend_from_slice(&u16::try_from(scalars.len()).unwrap_or(u16::MAX).to_le_bytes());
    write_scalars(bytes, scalars);
}

fn read_list<F: PrimeField>(reader: &mut Reader<'_>) -> Result<Vec<F>, encoding::Error> {
    let byte = |reader: &mut Reader<'_>| reader.length(0, usize::from(u8::MAX));
    let found = byte(reader)? | byte(reader)? << 8;
    if found > SCALARS_MAX {
        return Err(encoding::Error::Length { found, least: 0, most: SCALARS_MAX });
    }
    reader.scalars(found)
}
