//! The bytes of a verifier's key.

use std::cmp::Ordering;
use std::sync::Arc;

use halo2curves::CurveAffine;
use halo2curves::bn256::{Fq2, Fr, G2Affine};
use halo2curves::ff::Field as _;
use halo2curves::group::{Group as _, UncompressedEncoding as _};
use halo2curves::grumpkin;

use super::VerifierKey;
use super::error::KeyError;
use crate::cross_term::RelaxedRelation;
use crate::gadgets::LimbParameters;
use crate::ivc::oracles::Oracles;
use crate::ivc::protogalaxy::hashes::Hashes;
use crate::poseidon::CircuitOracleFor;
use crate::protogalaxy::FoldShape;
use crate::relation::Relation;
use crate::snark::encoding::{self, Reader, write_number, write_points, write_scalars};
use crate::snark::spartan::Shape;
use crate::snark::{accumulators, hyperkzg};

/// What keys start with: the version of their format.
const VERSION: u8 = 1;

/// The most S-boxes of a row, bits of a limb or limbs.
const SIZE_MAX: usize = 1 << 16;

/// The most generators.
const GENERATORS_MAX: usize = 1 << 26;

impl<const A1: usize, const A2: usize, RO: CircuitOracleFor<Fr>> VerifierKey<A1, A2, RO> {
    /// The canonical bytes, which end in the key's digest. The oracle's constants are not among them, only their digest.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Hashes { oracles, limbs, digest, .. } = &*self.hashes;
        let mut bytes = Vec::new();
        bytes.push(VERSION);
        for size in [A1, A2, oracles.boxes, limbs.limb_width(), limbs.limbs_count()] {
            write_number(&mut bytes, size);
        }
        write_scalars(&mut bytes, &[*digest]);
        bytes.extend_from_slice(&RO::digest(&oracles.constants));
        let key = &self.accumulators;
        key.primary().write(&mut bytes);
        self.secondary.write(&mut bytes);
        write_points(&mut bytes, &[key.powers().g1]);
        for point in [key.powers().g2, key.powers().tau_g2] {
            bytes.extend_from_slice(point.to_uncompressed().as_ref());
        }
        write_number(&mut bytes, key.generators().len());
        write_points(&mut bytes, key.generators());
        write_points(&mut bytes, &[key.base()]);
        bytes.extend_from_slice(&self.digest());
        bytes
    }

    /// The key of exactly these bytes, with the oracle's constants, which have to be those of the parameters.
    ///
    /// That the key is the right one shows in its [`digest`](Self::digest) alone, which the caller compares with one that
    /// it trusts.
    ///
    /// # Errors
    /// For bytes that no key has, a key of other arities or of other constants, and one whose digest is not its own.
    pub fn from_bytes(bytes: &[u8], ro_constant: RO::Constants) -> Result<Self, KeyError> {
        let mut reader = Reader::new(bytes);
        reader.version(VERSION)?;
        if [reader.number(SIZE_MAX)?, reader.number(SIZE_MAX)?] != [A1, A2] {
            return Err(KeyError::Arity);
        }
        let boxes = reader.number(SIZE_MAX)?;
        let (width, count) = (reader.number(SIZE_MAX)?, reader.number(SIZE_MAX)?);
        let limbs = LimbParameters::new::<Fr, grumpkin::Fr>(width, count).map_err(KeyError::Limbs)?;
        let digest = reader.scalar()?;
        if reader.bytes()? != RO::digest(&ro_constant) {
            return Err(KeyError::Oracle);
        }
        let primary = Arc::new(Relation::<Fr>::read(&mut reader)?);
        let secondary = Arc::new(Relation::<grumpkin::Fr>::read(&mut reader)?);
        // Before anything is made of them: the relaxed form takes as many products as its degree for each polynomial.
        Shape::new(&primary).map_err(accumulators::Error::Primary)?;
        let shape = Shape::with_errors(&secondary).map_err(accumulators::Error::Secondary)?;
        let needed = 1 << shape.column_variables();
        let powers = hyperkzg::VerifierKey {
            g1: reader.point()?,
            g2: read_g2(&mut reader)?,
            tau_g2: read_g2(&mut reader)?,
        };
        let generators = reader.number(GENERATORS_MAX)?;
        // The digest is of those that the relation needs: none is read of another number.
        match generators.cmp(&needed) {
            Ordering::Less => {
                let (curve, found) = ("grumpkin", generators);
                return Err(accumulators::Error::KeyLength { curve, found, needed }.into());
            }
            Ordering::Equal => {}
            Ordering::Greater => return Err(KeyError::Digest),
        }
        let generators: Vec<grumpkin::G1Affine> = reader.points(generators)?;
        let base = reader.point()?;
        let fold = FoldShape::new(&primary, 1);
        let challenges = [primary.layout().challenges, secondary.layout().challenges];
        let relaxed = Arc::new(RelaxedRelation::new(&secondary));
        let key = Self {
            hashes: Arc::new(Hashes {
                oracles: Oracles { constants: ro_constant, boxes },
                limbs,
                digest,
                challenges,
            }),
            fold,
            secondary,
            accumulators: Arc::new(accumulators::VerifierKey::new(
                primary,
                relaxed,
                powers,
                &generators,
                base,
            )?),
        };
        if reader.bytes()? != key.digest() {
            return Err(KeyError::Digest);
        }
        reader.finish()?;
        Ok(key)
    }
}

/// A point of the second group, which is one of prime order among others of its curve.
fn read_g2(reader: &mut Reader<'_>) -> Result<G2Affine, encoding::Error> {
    // Number by number: where one is not below the modulus, the curve's own reader panics.
    let mut coordinate = || Ok(Fq2::new(reader.scalar()?, reader.scalar()?));
    let point = G2Affine::from_xy(coordinate()?, coordinate()?);
    let point = Option::<G2Affine>::from(point).ok_or(encoding::Error::Point)?;
    // The order of the points that pairings take is that of the scalars.
    let of_prime_order = bool::from((point * -Fr::ONE + point).is_identity());
    if of_prime_order { Ok(point) } else { Err(encoding::Error::Point) }
}
