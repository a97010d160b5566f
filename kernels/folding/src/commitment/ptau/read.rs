//! Reading powers of tau, point by point checked.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use halo2curves::bn256::{Fr, G1Affine, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::prime::PrimeCurveAffine;
use halo2curves::serde::SerdeObject;
use rayon::prelude::*;

use super::sections::{Section, Sections, read_array};
use crate::commitment::error::PtauFault;
use crate::commitment::points::{self, POINT_LEN};
use crate::commitment::structured::StructuredPart;

const G2_LEN: usize = 2 * POINT_LEN;

/// Why a file was not read.
pub(super) enum Fail {
    Io(io::Error),
    Fault(PtauFault),
}

impl From<io::Error> for Fail {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<PtauFault> for Fail {
    fn from(fault: PtauFault) -> Self {
        Self::Fault(fault)
    }
}

/// The first `2^k` powers in the first group and two in the second: all of them points of the right groups, the first
/// of each the generator.
pub(super) fn read(file: &mut File, k: usize) -> Result<(Vec<G1Affine>, StructuredPart), Fail> {
    let sections = Sections::find(file)?;
    let power = sections.power(file)?;
    if k > power as usize {
        return Err(PtauFault::TooFew { power, k }.into());
    }
    sections.tau_g1.check_len(POINT_LEN as u64, 1 << k, (2 << power) - 1)?;
    sections.tau_g2.check_len(G2_LEN as u64, 2, (1 << power).max(2))?;
    let structured = read_g2(file, &sections.tau_g2)?;
    let powers = read_g1(file, &sections.tau_g1, 1 << k)?;
    if powers[0] != G1Affine::generator() {
        return Err(PtauFault::Generator { group: "first" }.into());
    }
    Ok((powers, structured))
}

fn read_g1(file: &mut File, section: &Section, count: usize) -> Result<Vec<G1Affine>, Fail> {
    file.seek(SeekFrom::Start(section.start))?;
    let mut powers = Vec::with_capacity(count);
    let mut bytes = vec![0; points::CHUNK_LEN.min(count) * POINT_LEN];
    while powers.len() < count {
        file.read_exact(&mut bytes)?;
        // Coordinates are in Montgomery form with radix 2^256, which is the form this reads; it refuses those that
        // are not below the modulus, and points off the curve.
        let read = |(i, bytes): (usize, &[u8])| {
            let point = G1Affine::from_raw_bytes(bytes).filter(points::is_proper);
            point.ok_or(PtauFault::G1Point { index: powers.len() + i })
        };
        let chunk: Vec<_> = bytes.par_chunks(POINT_LEN).enumerate().with_min_len(256).map(read).collect();
        powers.extend(chunk.into_iter().collect::<Result<Vec<_>, _>>()?);
    }
    Ok(powers)
}

fn read_g2(file: &mut File, section: &Section) -> Result<StructuredPart, Fail> {
    let mut power = |index: usize| {
        let bytes = read_array::<G2_LEN>(file, section.start + (index * G2_LEN) as u64)?;
        let point = G2Affine::from_raw_bytes(&bytes).filter(|point| !bool::from(point.is_identity()));
        let point = point.ok_or(PtauFault::G2Point { index })?;
        if !is_of_prime_order(&point) {
            return Err(PtauFault::Subgroup { index }.into());
        }
        Ok::<_, Fail>(point)
    };
    let structured = StructuredPart { g2: power(0)?, tau_g2: power(1)? };
    if structured.g2 != G2Affine::generator() {
        return Err(PtauFault::Generator { group: "second" }.into());
    }
    if structured.tau_g2 == structured.g2 {
        return Err(PtauFault::NoContribution.into());
    }
    Ok(structured)
}

/// Whether `[r] point` is the identity: the curve of the second group has points of other orders too.
fn is_of_prime_order(point: &G2Affine) -> bool {
    // As `-1` is `r - 1`, read as an integer.
    point * -Fr::ONE == (-point).to_curve()
}
