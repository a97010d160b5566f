//! Reading a cached key.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use rand_core::{OsRng, RngCore};
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::header::{HEADER_LEN, Header};
use crate::commitment::error::{CacheFault, Error};
use crate::commitment::generators::Seed;
use crate::commitment::{CommitmentKey, Curve, points};

/// How many points are derived again when a key is loaded, in addition to the first and the last.
const SAMPLE_LEN: usize = 512;

/// The key in a file, or nothing if there is no file.
///
/// Every byte is checked against the header's digest, every point for being on the curve, and a random sample of the
/// points against the seed.
pub(super) fn load<C: Curve>(path: &Path, k: usize, seed: &Seed) -> Result<Option<CommitmentKey<C>>, Error> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io("open", path)(error)),
    };
    let io_error = || Error::io("read", path);
    let found = file.metadata().map_err(io_error())?.len();
    let header = Header::new::<C>(k, *seed);
    let fault = |fault| Error::Cache { path: path.to_path_buf(), fault };
    if found < HEADER_LEN as u64 {
        return Err(fault(CacheFault::NotAKey));
    }
    let mut bytes = [0; HEADER_LEN];
    file.read_exact(&mut bytes).map_err(io_error())?;
    let digest = header.check(&bytes).map_err(fault)?;
    if found != header.file_len() {
        return Err(fault(CacheFault::Length { found, wanted: header.file_len() }));
    }
    let points = read_points(&mut file, 1 << k, &digest).map_err(|error| match error {
        ReadError::Io(error) => io_error()(error),
        ReadError::Fault(reason) => fault(reason),
    })?;
    check_sample(&points, seed).map_err(fault)?;
    Ok(Some(CommitmentKey::transparent(points, k, seed).with_points_digest(digest)))
}

enum ReadError {
    Io(std::io::Error),
    Fault(CacheFault),
}

fn read_points<C: Curve>(file: &mut File, count: usize, digest: &[u8; 32]) -> Result<Vec<C>, ReadError> {
    let mut hash = Sha256::new();
    let mut all = Vec::with_capacity(count);
    let mut bytes = vec![0; points::CHUNK_LEN.min(count) * points::POINT_LEN];
    let mut fault = None;
    while all.len() < count {
        file.read_exact(&mut bytes).map_err(ReadError::Io)?;
        let ((), chunk) = rayon::join(|| hash.update(&bytes), || points::from_bytes::<C>(&bytes));
        match chunk {
            Ok(chunk) => all.extend(chunk),
            // A damaged file is known by its digest, so that is looked at first.
            Err(index) => {
                fault.get_or_insert(CacheFault::Point { index: all.len() + index });
                all.resize(all.len() + bytes.len() / points::POINT_LEN, C::identity());
            }
        }
    }
    if hash.finalize()[..] != digest[..] {
        return Err(ReadError::Fault(CacheFault::Digest));
    }
    fault.map_or(Ok(all), |fault| Err(ReadError::Fault(fault)))
}

/// Derives some points again. A key of other points is found out, however good its header; a key with few points
/// changed most likely is not, which is why a cache's folder has to be trusted.
fn check_sample<C: Curve>(points: &[C], seed: &Seed) -> Result<(), CacheFault> {
    let mut indices = vec![0, points.len() - 1];
    // The number of points is a power of two, so a remainder is as random as the integer.
    indices.extend((0..SAMPLE_LEN).map(|_| OsRng.next_u32() as usize % points.len()));
    match indices.into_par_iter().find_any(|&index| seed.generator::<C>(index) != points[index]) {
        Some(index) => Err(CacheFault::Foreign { index }),
        None => Ok(()),
    }
}
