//! Where the sections of a powers-of-tau file are, and its header.
//!
//! ```text
//! "ptau" | version, 1 (u32) | number of sections (u32) | sections, each: its number (u32) | its length (u64) | bytes
//! section 1: bytes of a coordinate, 32 (u32) | modulus (32 bytes) | power (u32) | the ceremony's power (u32), if there
//! section 2: tau^i in the first group,  i < 2^(power + 1) - 1, 64 bytes each
//! section 3: tau^i in the second group, i < 2^power, 128 bytes each
//! ```
//!
//! All little-endian. Further sections are not read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use super::read::Fail;
use crate::commitment::error::PtauFault;

pub(super) const MAGIC: &[u8; 4] = b"ptau";
pub(super) const VERSION: u32 = 1;

/// More sections than any such file has: a number above it is not worth reading on.
const SECTIONS_MAX: u32 = 1024;

/// The modulus of the base field of bn256, little-endian.
pub(super) const MODULUS: [u8; 32] = [
    0x47, 0xfd, 0x7c, 0xd8, 0x16, 0x8c, 0x20, 0x3c, 0x8d, 0xca, 0x71, 0x68, 0x91, 0x6a, 0x81, 0x97, 0x5d,
    0x58, 0x81, 0x81, 0xb6, 0x45, 0x50, 0xb8, 0x29, 0xa0, 0x31, 0xe1, 0x72, 0x4e, 0x64, 0x30,
];

/// The largest power a header may name; ceremonies end at 28.
const POWER_MAX: u32 = 28;

/// A section's place in the file.
#[derive(Clone, Copy)]
pub(super) struct Section {
    number: u32,
    pub(super) start: u64,
    len: u64,
}

/// The sections that are read.
pub(super) struct Sections {
    pub(super) header: Section,
    pub(super) tau_g1: Section,
    pub(super) tau_g2: Section,
}

impl Sections {
    pub(super) fn find(file: &mut File) -> Result<Self, Fail> {
        let file_len = file.metadata()?.len();
        if file_len < 12 {
            return Err(PtauFault::NotPtau.into());
        }
        let start = read_array::<12>(file, 0)?;
        if &start[..4] != MAGIC || integer(&start[4..8]) != VERSION || integer(&start[8..]) > SECTIONS_MAX {
            return Err(PtauFault::NotPtau.into());
        }
        let mut found = [None; 3];
        let mut at = 12;
        for _ in 0..integer(&start[8..]) {
            if at + 12 > file_len {
                return Err(PtauFault::NotPtau.into());
            }
            let head = read_array::<12>(file, at)?;
            let number = integer(&head[..4]);
            let len = u64::from_le_bytes(std::array::from_fn(|i| head[4 + i]));
            let start = at + 12;
            let fault = || PtauFault::Section { number };
            at = start.checked_add(len).filter(|end| *end <= file_len).ok_or_else(fault)?;
            let wanted = number.checked_sub(1).and_then(|i| found.get_mut(i as usize));
            if wanted.is_some_and(|place| place.replace(Section { number, start, len }).is_some()) {
                return Err(fault().into());
            }
        }
        let section = |i: u32| found[i as usize].ok_or(PtauFault::Section { number: i + 1 });
        Ok(Self { header: section(0)?, tau_g1: section(1)?, tau_g2: section(2)? })
    }

    /// The power that the header names, once the curve is checked.
    pub(super) fn power(&self, file: &mut File) -> Result<u32, Fail> {
        let fault = PtauFault::Section { number: 1 };
        if self.header.len < 40 {
            return Err(fault.into());
        }
        let header = read_array::<40>(file, self.header.start)?;
        if integer(&header[..4]) != 32 || header[4..36] != MODULUS {
            return Err(PtauFault::Prime.into());
        }
        match integer(&header[36..]) {
            power @ 0..=POWER_MAX => Ok(power),
            _ => Err(fault.into()),
        }
    }
}

impl Section {
    /// Refuses a section that is not of complete points of `point_len` bytes, `count` at least and `count_max` at most.
    pub(super) fn check_len(&self, point_len: u64, count: u64, count_max: u64) -> Result<(), PtauFault> {
        let found = self.len / point_len;
        if !self.len.is_multiple_of(point_len) || found < count || found > count_max {
            return Err(PtauFault::Section { number: self.number });
        }
        Ok(())
    }
}

pub(super) fn read_array<const N: usize>(file: &mut File, at: u64) -> Result<[u8; N], Fail> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn integer(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| bytes[i]))
}
