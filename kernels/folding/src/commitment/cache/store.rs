//! Writing a cached key.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::header::{HEADER_LEN, Header};
use crate::commitment::error::Error;
use crate::commitment::generators::Seed;
use crate::commitment::{CommitmentKey, Curve, points};
use crate::durable;

/// Writes a key atomically, even if the machine stops, and gives the digest of
/// its points. Only one at a time may write to a path.
pub(super) fn store<C: Curve>(path: &Path, key: &CommitmentKey<C>, seed: &Seed) -> Result<[u8; 32], Error> {
    let written = durable::replace(path, &path.with_extension("tmp"), |file| write(file, key, seed));
    written.map_err(|durable::Failure { action, path, source }| Error::Io { action, path, source })
}

fn write<C: Curve>(file: &mut File, key: &CommitmentKey<C>, seed: &Seed) -> std::io::Result<[u8; 32]> {
    file.write_all(&[0; HEADER_LEN])?;
    let mut hash = Sha256::new();
    for chunk in key.points().chunks(points::CHUNK_LEN) {
        let bytes = points::to_bytes(chunk);
        hash.update(&bytes);
        file.write_all(&bytes)?;
    }
    let digest = hash.finalize().into();
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&Header::new::<C>(key.k(), *seed).to_bytes(&digest))?;
    Ok(digest)
}
