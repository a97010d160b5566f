//! Writing powers of tau.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use halo2curves::bn256::{G1Affine, G2Affine};
use halo2curves::serde::SerdeObject;

use super::sections::{MAGIC, MODULUS, VERSION};

/// Writes a file of three sections, as [`super::sections`] describes them.
pub(super) fn write(path: &Path, power: usize, tau_g1: &[G1Affine], tau_g2: &[G2Affine]) -> io::Result<()> {
    let power = u32::try_from(power).expect("a size is at most 26");
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(MAGIC)?;
    file.write_all(&VERSION.to_le_bytes())?;
    file.write_all(&3u32.to_le_bytes())?;
    section(&mut file, 1, 44)?;
    file.write_all(&32u32.to_le_bytes())?;
    file.write_all(&MODULUS)?;
    file.write_all(&power.to_le_bytes())?;
    file.write_all(&power.to_le_bytes())?;
    section(&mut file, 2, 64 * tau_g1.len() as u64)?;
    tau_g1.iter().try_for_each(|point| point.write_raw(&mut file))?;
    section(&mut file, 3, 128 * tau_g2.len() as u64)?;
    tau_g2.iter().try_for_each(|point| point.write_raw(&mut file))?;
    file.into_inner()?.sync_all()
}

fn section(file: &mut impl Write, number: u32, len: u64) -> io::Result<()> {
    file.write_all(&number.to_le_bytes())?;
    file.write_all(&len.to_le_bytes())
}
