//! The bytes of a compressed proof.

use halo2curves::CurveAffine;

use super::CompressedProof;
use crate::relation::Instance;
use crate::snark::accumulators;
use crate::snark::encoding::{self, Reader, write_length, write_points, write_scalar_list, write_scalars};
use crate::{cross_term, protogalaxy};

/// What proofs start with: the version of their format.
const VERSION: u8 = 1;

/// The most commitments that an instance may have, more than any has.
const COMMITMENTS_MAX: usize = 8;

/// The most scalars that a list may have.
const SCALARS_MAX: usize = 1 << 12;

impl<const A1: usize, const A2: usize> CompressedProof<A1, A2> {
    /// The canonical bytes: one encoding for one proof.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.push(VERSION);
        write_scalars(&mut bytes, &self.primary_output);
        write_scalars(&mut bytes, &self.secondary_output);
        write_instance(&mut bytes, &self.accumulator.instance);
        write_scalar_list(&mut bytes, &self.accumulator.betas);
        write_scalars(&mut bytes, &[self.accumulator.error]);
        write_length(&mut bytes, self.last.len());
        write_points(&mut bytes, &self.last);
        write_scalar_list(&mut bytes, &self.fold.perturbator);
        write_scalar_list(&mut bytes, &self.fold.quotient);
        write_instance(&mut bytes, &self.secondary_accumulator.instance);
        write_scalars(&mut bytes, &[self.secondary_accumulator.scale]);
        write_points(&mut bytes, &[self.secondary_accumulator.error]);
        self.accumulators.write(&mut bytes);
        bytes
    }

    /// The proof of exactly these bytes.
    ///
    /// # Errors
    /// For bytes that no proof has: of another version, cut short, with a length above its cap, a scalar that is not below
    /// the modulus, a point that is not on the curve in canonical form, or trailing bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, encoding::Error> {
        let mut reader = Reader::new(bytes);
        reader.version(VERSION)?;
        let proof = Self {
            primary_output: read_array(&mut reader)?,
            secondary_output: read_array(&mut reader)?,
            accumulator: protogalaxy::Accumulator {
                instance: read_instance(&mut reader)?,
                betas: reader.scalar_list(SCALARS_MAX)?,
                error: reader.scalar()?,
            },
            last: read_points(&mut reader)?,
            fold: protogalaxy::Proof {
                perturbator: reader.scalar_list(SCALARS_MAX)?,
                quotient: reader.scalar_list(SCALARS_MAX)?,
            },
            secondary_accumulator: cross_term::Accumulator {
                instance: read_instance(&mut reader)?,
                scale: reader.scalar()?,
                error: reader.point()?,
            },
            accumulators: accumulators::Proof::read(&mut reader)?,
        };
        reader.finish()?;
        Ok(proof)
    }
}

fn write_instance<C: CurveAffine>(bytes: &mut Vec<u8>, instance: &Instance<C>) {
    write_length(bytes, instance.commitments.len());
    write_points(bytes, &instance.commitments);
    write_scalar_list(bytes, &instance.publics);
    write_scalar_list(bytes, &instance.challenges);
}

fn read_instance<C: CurveAffine>(reader: &mut Reader<'_>) -> Result<Instance<C>, encoding::Error> {
    Ok(Instance {
        commitments: read_points(reader)?,
        publics: reader.scalar_list(SCALARS_MAX)?,
        challenges: reader.scalar_list(SCALARS_MAX)?,
    })
}

fn read_points<C: CurveAffine>(reader: &mut Reader<'_>) -> Result<Vec<C>, encoding::Error> {
    let count = reader.length(1, COMMITMENTS_MAX)?;
    reader.points(count)
}

fn read_array<F: halo2curves::ff::PrimeField, const ARITY: usize>(
    reader: &mut Reader<'_>,
) -> Result<[F; ARITY], encoding::Error> {
    let mut elements = [F::ZERO; ARITY];
    for element in &mut elements {
        *element = reader.scalar()?;
    }
    Ok(elements)
}
