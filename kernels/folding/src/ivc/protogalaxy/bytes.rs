//! A computation's proof as bytes.
//!
//! ```text
//! offset  bytes
//!      0      8  "ELFOLDPF"
//!      8      4  version, 1
//!     12     32  the digest of the public parameters
//!     44      8  steps, 1 or more
//!     52         elements of 32 bytes each:
//!                the primary input and output, the secondary input and output;
//!                the last instance: commitments, public inputs, challenges, values by rounds;
//!                the primary accumulator: the same of its instance, but its values are last and only if there are two
//!                steps or more; before them the betas and the error;
//!                the secondary accumulator: commitments, public inputs, challenges, the commitment to the error, u,
//!                values by rounds
//! ```
//!
//! Integers are little-endian, elements as [`crate::snark::encoding`] writes them. The secondary accumulator's error vector
//! follows from its values, so it is not written. All lengths follow from the public parameters: bytes of another length are
//! refused before anything is made of them.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field as _, PrimeField as _};

use super::parameters::Parameters;
use super::state::State;
use crate::commitment::Curve;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc;
use crate::poseidon::CircuitOracleFor;
use crate::relation::{Instance, Layout};
use crate::snark::encoding::{ELEMENT_BYTES, Reader, write_points, write_scalars};
use crate::{cross_term, protogalaxy};

mod error;

pub use error::Error;

const MAGIC: &[u8; 8] = b"ELFOLDPF";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 52;

/// The bytes of the proof that a state of these parameters, by their digest, has of its steps.
pub(super) fn write<C1, C2>(state: &State<C1, C2>, parameters: &C1::ScalarExt) -> Vec<u8>
where
    C1: CurveAffine,
    C2: CurveAffine,
{
    // Every field is named: one that is added has to be written, or to follow from others.
    let State {
        steps,
        primary_start,
        primary,
        secondary_start,
        secondary,
        accumulator,
        accumulator_vector,
        latest,
        latest_vector,
        secondary_accumulator,
        secondary_witness: cross_term::Witness { vector: secondary_vector, error: _ },
    } = state;
    let values = accumulator_vector.len() + latest_vector.len() + secondary_vector.len();
    let mut bytes = Vec::with_capacity((values + accumulator.betas.len() + 64) * ELEMENT_BYTES);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(parameters.to_repr().as_ref());
    bytes.extend_from_slice(&steps.to_le_bytes());
    for state in [primary_start, primary] {
        write_scalars(&mut bytes, state);
    }
    for state in [secondary_start, secondary] {
        write_scalars(&mut bytes, state);
    }
    write_instance(&mut bytes, latest);
    write_scalars(&mut bytes, values_of(latest, latest_vector));
    write_instance(&mut bytes, &accumulator.instance);
    write_scalars(&mut bytes, &accumulator.betas);
    write_scalars(&mut bytes, &[accumulator.error]);
    write_scalars(&mut bytes, values_of(&accumulator.instance, accumulator_vector));
    write_instance(&mut bytes, &secondary_accumulator.instance);
    write_points(&mut bytes, &[secondary_accumulator.error]);
    write_scalars(&mut bytes, &[secondary_accumulator.scale]);
    write_scalars(&mut bytes, values_of(&secondary_accumulator.instance, secondary_vector));
    bytes
}

fn write_instance<C: CurveAffine>(bytes: &mut Vec<u8>, instance: &Instance<C>) {
    write_points(bytes, &instance.commitments);
    write_scalars(bytes, &instance.publics);
    write_scalars(bytes, &instance.challenges);
}

/// What is committed to of a vector: all that the instance does not have. There is no vector before the first fold.
fn values_of<'a, C: CurveAffine>(instance: &Instance<C>, vector: &'a [C::ScalarExt]) -> &'a [C::ScalarExt] {
    vector.get(1 + instance.publics.len() + instance.challenges.len()..).unwrap_or(&[])
}

impl<C1, C2, RO> Parameters<'_, C1, C2, RO>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    RO: CircuitOracleFor<C1::ScalarExt>,
{
    /// How many bytes a proof of so many steps has.
    pub(super) fn proof_bytes(&self, steps: u64) -> u64 {
        let (primary, secondary) = (self.primary.relation.layout(), self.secondary.relation.layout());
        let values = |layout: &Layout| layout.rounds.iter().sum::<usize>();
        let instance = |layout: &Layout| layout.rounds.len() + layout.publics + layout.challenges;
        let states = 2 * (self.primary.step.arity + self.secondary.step.arity);
        let last = instance(primary) + values(primary);
        let folded = if steps > 1 { values(primary) } else { 0 };
        let accumulator = instance(primary) + self.primary.fold.betas + 1 + folded;
        let secondary = instance(secondary) + 2 + values(secondary);
        (HEADER_BYTES + (states + last + accumulator + secondary) * ELEMENT_BYTES) as u64
    }

    /// The state whose proof [`write`] wrote. Whether the proof holds is for [`Parameters::verify`] to say.
    pub(super) fn read(&self, bytes: &[u8]) -> Result<State<C1, C2>, ivc::Error> {
        let (header, elements) = bytes.split_at_checked(HEADER_BYTES).ok_or(Error::NotThis)?;
        if header[..8] != MAGIC[..] {
            return Err(Error::NotThis.into());
        }
        let version = u32::from_le_bytes(std::array::from_fn(|index| header[8 + index]));
        if version != VERSION {
            return Err(Error::Version { found: version, wanted: VERSION }.into());
        }
        if header[12..44] != *self.hashes.digest.to_repr().as_ref() {
            return Err(ivc::Error::OtherParameters);
        }
        let steps = u64::from_le_bytes(std::array::from_fn(|index| header[44 + index]));
        if steps == 0 {
            return Err(Error::NoSteps.into());
        }
        let (found, wanted) = (bytes.len() as u64, self.proof_bytes(steps));
        if found != wanted {
            return Err(Error::Length { found, wanted }.into());
        }
        Ok(self.read_elements(steps, Reader::new(elements)).map_err(Error::from)?)
    }

    fn read_elements(
        &self,
        steps: u64,
        mut reader: Reader<'_>,
    ) -> Result<State<C1, C2>, crate::snark::encoding::Error> {
        let (layout, secondary_layout) = (self.primary.relation.layout(), self.secondary.relation.layout());
        let [primary_start, primary] =
            [reader.scalars(self.primary.step.arity)?, reader.scalars(self.primary.step.arity)?];
        let [secondary_start, secondary] =
            [reader.scalars(self.secondary.step.arity)?, reader.scalars(self.secondary.step.arity)?];
        let one = C1::ScalarExt::ONE;
        let latest = read_instance::<C1>(&mut reader, layout)?;
        let latest_vector = read_vector(&mut reader, layout, one, &latest)?;
        let instance = read_instance::<C1>(&mut reader, layout)?;
        let betas = reader.scalars(self.primary.fold.betas)?;
        let error = reader.scalar()?;
        let accumulator_vector = match steps {
            1 => Vec::new(),
            _ => read_vector(&mut reader, layout, one, &instance)?,
        };
        let accumulator = protogalaxy::Accumulator { instance, betas, error };
        let instance = read_instance::<C2>(&mut reader, secondary_layout)?;
        let (error, scale) = (reader.point()?, reader.scalar()?);
        let vector = read_vector(&mut reader, secondary_layout, scale, &instance)?;
        reader.finish()?;
        let error_vector = self.secondary.relaxed.relation().values(&vector);
        Ok(State {
            steps,
            primary_start,
            primary,
            secondary_start,
            secondary,
            accumulator,
            accumulator_vector,
            latest,
            latest_vector,
            secondary_accumulator: cross_term::Accumulator { instance, scale, error },
            secondary_witness: cross_term::Witness { vector, error: error_vector },
        })
    }
}

type Decoded<T> = Result<T, crate::snark::encoding::Error>;

fn read_instance<C: CurveAffine>(reader: &mut Reader<'_>, layout: &Layout) -> Decoded<Instance<C>> {
    Ok(Instance {
        commitments: reader.points(layout.rounds.len())?,
        publics: reader.scalars(layout.publics)?,
        challenges: reader.scalars(layout.challenges)?,
    })
}

fn read_vector<C: CurveAffine>(
    reader: &mut Reader<'_>,
    layout: &Layout,
    one: C::ScalarExt,
    instance: &Instance<C>,
) -> Decoded<Vec<C::ScalarExt>> {
    let mut vector = Vec::with_capacity(layout.len());
    vector.push(one);
    vector.extend_from_slice(&instance.publics);
    vector.extend_from_slice(&instance.challenges);
    for round in &layout.rounds {
        vector.append(&mut reader.scalars(*round)?);
    }
    Ok(vector)
}
