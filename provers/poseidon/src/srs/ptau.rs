//! Reading a powers-of-tau file in the format of snarkjs (`.ptau`), as far as these circuits need it.
//!
//! `"ptau"`, version 1, a count of sections, and for each a type, a length in bytes, and its bytes. Section 1
//! says the field's size in bytes, the prime, and the power; section 2 holds the powers in G1, section 3 those
//! in G2. Numbers are little-endian, coordinates in Montgomery form, uncompressed.

use std::{
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use halo2_axiom::halo2curves::{
    bn256::{Fr, G1, G1Affine, G2Affine, pairing},
    ff::Field,
    group::{Curve, Group, prime::PrimeCurveAffine},
    serde::SerdeObject,
};
use rand_core::OsRng;

use crate::error::SrsError;

/// The base field's modulus q, little-endian.
const BASE_MODULUS: [u8; 32] = [
    0x47, 0xfd, 0x7c, 0xd8, 0x16, 0x8c, 0x20, 0x3c, 0x8d, 0xca, 0x71, 0x68, 0x91, 0x6a, 0x81, 0x97, 0x5d,
    0x58, 0x81, 0x81, 0xb6, 0x45, 0x50, 0xb8, 0x29, 0xa0, 0x31, 0xe1, 0x72, 0x4e, 0x64, 0x30,
];

/// Far more sections than any ceremony file has.
const SECTIONS_MAX: u32 = 64;

/// Powers of tau that have been checked to be just that.
pub(super) struct Powers {
    pub(super) g1: Vec<G1Affine>,
    pub(super) g2: G2Affine,
    pub(super) tau_g2: G2Affine,
}

/// Reads and checks the first `count` powers in G1, and the first two in G2.
pub(super) fn read(path: &Path, count: usize) -> Result<Powers, SrsError> {
    let file = File::open(path).map_err(|error| SrsError::Read(path.to_owned(), error))?;
    let unusable = |what: String| SrsError::Unusable(path.to_owned(), what);
    let powers = read_powers(&mut BufReader::new(file), count).map_err(|failure| match failure {
        Failure::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            unusable("it ends too early".to_owned())
        }
        Failure::Io(error) if error.kind() == io::ErrorKind::InvalidData => unusable(error.to_string()),
        Failure::Io(error) => SrsError::Read(path.to_owned(), error),
        Failure::Content(what) => unusable(what),
    })?;
    check_powers(&powers).map_err(|what| unusable(what.to_owned()))?;
    Ok(powers)
}

enum Failure {
    Io(io::Error),
    Content(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Where a section starts, and how long it is.
type Section = (u64, u64);

fn read_powers(file: &mut (impl Read + Seek), count: usize) -> Result<Powers, Failure> {
    let sections = find_sections(file)?;
    check_header(file, sections[0], count)?;
    let size = size_of::<G1Affine>() as u64;
    if sections[1].1 < count as u64 * size || sections[2].1 < 2 * 2 * size {
        return Err(Failure::Content("its sections are too short for the power that it states".to_owned()));
    }
    file.seek(SeekFrom::Start(sections[1].0))?;
    let g1 = (0..count).map(|_| G1Affine::read_raw(file)).collect::<io::Result<_>>()?;
    file.seek(SeekFrom::Start(sections[2].0))?;
    let g2 = G2Affine::read_raw(file)?;
    let tau_g2 = G2Affine::read_raw(file)?;
    Ok(Powers { g1, g2, tau_g2 })
}

/// The sections 1 to 3, each of which must be there once.
fn find_sections(file: &mut (impl Read + Seek)) -> Result<[Section; 3], Failure> {
    let mut magic = [0; 4];
    file.read_exact(&mut magic)?;
    if &magic != b"ptau" {
        return Err(Failure::Content("it does not start with \"ptau\"".to_owned()));
    }
    let version = read_u32(file)?;
    if version != 1 {
        return Err(Failure::Content(format!("its version is {version}, and only 1 is understood")));
    }
    let count = read_u32(file)?;
    if count > SECTIONS_MAX {
        return Err(Failure::Content(format!("it claims {count} sections")));
    }
    let mut found: [Option<Section>; 3] = [None; 3];
    for _ in 0..count {
        let kind = read_u32(file)?;
        let mut length = [0; 8];
        file.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let start = file.stream_position()?;
        let slot = usize::try_from(kind).ok().and_then(|kind| found.get_mut(kind.wrapping_sub(1)));
        if slot.and_then(|slot| slot.replace((start, length))).is_some() {
            return Err(Failure::Content(format!("section {kind} is there twice")));
        }
        let end = start.checked_add(length).filter(|&end| i64::try_from(end).is_ok());
        let end = end.ok_or_else(|| Failure::Content(format!("section {kind} claims {length} bytes")))?;
        file.seek(SeekFrom::Start(end))?;
    }
    match found {
        [Some(header), Some(g1), Some(g2)] => Ok([header, g1, g2]),
        _ => Err(Failure::Content("one of the sections 1, 2, 3 is missing".to_owned())),
    }
}

fn check_header(file: &mut (impl Read + Seek), section: Section, count: usize) -> Result<(), Failure> {
    file.seek(SeekFrom::Start(section.0))?;
    let size = read_u32(file)?;
    let mut modulus = [0; 32];
    if size == 32 {
        file.read_exact(&mut modulus)?;
    }
    if modulus != BASE_MODULUS {
        return Err(Failure::Content("it is not over BN254".to_owned()));
    }
    let power = read_u32(file)?;
    if power >= 32 || 1 << power < count {
        return Err(Failure::Content(format!("its power is {power}, and 2^power must be at least {count}")));
    }
    Ok(())
}

/// Points in their groups, starting at the generators, and successive powers of one number that is not 0 or 1.
fn check_powers(powers: &Powers) -> Result<(), &'static str> {
    if powers.g1[0] != G1Affine::generator() || powers.g2 != G2Affine::generator() {
        return Err("its powers do not start at the generators");
    }
    // G1 has prime order, so a point of the curve is in the group; the curve of G2 is larger.
    let in_group = |point: &G2Affine| bool::from((point * -Fr::ONE + point).is_identity());
    if !in_group(&powers.tau_g2) {
        return Err("a point is not in G2");
    }
    if bool::from(powers.tau_g2.is_identity()) || powers.tau_g2 == powers.g2 {
        return Err("its secret is 0 or 1");
    }
    // For random r_i: e(sum r_i·[tau^(i+1)], [1]) = e(sum r_i·[tau^i], [tau]), false for any i with all but
    // negligible probability.
    let (mut low, mut high) = (G1::identity(), G1::identity());
    for pair in powers.g1.windows(2) {
        let random = Fr::random(OsRng);
        low += pair[0] * random;
        high += pair[1] * random;
    }
    if pairing(&high.to_affine(), &powers.g2) != pairing(&low.to_affine(), &powers.tau_g2) {
        return Err("its points are not the powers of one number");
    }
    Ok(())
}

fn read_u32(file: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    file.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}
