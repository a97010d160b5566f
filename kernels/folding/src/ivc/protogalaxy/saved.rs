//! Computations saved in files.
//!
//! ```text
//! offset  bytes
//!      0      8  "ELFOLDST"
//!      8      4  version, 1
//!     12      1  1 in debug mode, else 0
//!     13         the proof's bytes
//!   last     32  SHA-256 over all before
//! ```

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::BytesError;
use super::bytes;
use super::parameters::Parameters;
use super::state::State;
use crate::commitment::Curve;
use crate::durable;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::Error;
use crate::poseidon::CircuitOracleFor;

const MAGIC: &[u8; 8] = b"ELFOLDST";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 13;
const DIGEST_BYTES: usize = 32;

/// Writes a state into a file, atomically.
pub(super) fn save<C1: Curve, C2: Curve>(
    path: &Path,
    state: &State<C1, C2>,
    parameters: &C1::ScalarExt,
    debug_mode: bool,
) -> Result<(), Error> {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12] = u8::from(debug_mode);
    let proof = bytes::write(state, parameters);
    let digest = Sha256::new().chain_update(header).chain_update(&proof).finalize();
    // Appended, not put in the place of an extension: `a.state` and `a.key` are different files.
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let written = durable::replace(path, Path::new(&temporary), |file| {
        file.write_all(&header)?;
        file.write_all(&proof)?;
        file.write_all(&digest)
    });
    written.map_err(|durable::Failure { action, path, source }| Error::Io { action, path, source })
}

impl<C1, C2, RO> Parameters<'_, C1, C2, RO>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    RO: CircuitOracleFor<C1::ScalarExt>,
{
    /// The state in a file, and whether it was in debug mode. Its proof is verified.
    pub(super) fn load(&self, path: &Path) -> Result<(State<C1, C2>, bool), Error> {
        let io = |action| move |source| Error::Io { action, path: path.to_path_buf(), source };
        let file = File::open(path).map_err(io("open"))?;
        let found = file.metadata().map_err(io("read"))?.len();
        // The longest that there is; how long this one has to be, its steps say.
        let wanted = self.proof_bytes(u64::MAX) + (HEADER_BYTES + DIGEST_BYTES) as u64;
        let refused = |fault| Error::Saved { path: path.to_path_buf(), fault };
        if found > wanted {
            return Err(refused(BytesError::Length { found, wanted }));
        }
        let mut content = Vec::new();
        file.take(wanted).read_to_end(&mut content).map_err(io("read"))?;
        let (debug_mode, proof) = open(&content).map_err(refused)?;
        let state = self.read(proof).map_err(|error| match error {
            Error::Bytes(fault) => refused(fault),
            error => error,
        })?;
        self.verify(&state)?;
        Ok((state, debug_mode))
    }
}

/// The proof's bytes in a file's content, and whether the computation was in debug mode.
fn open(content: &[u8]) -> Result<(bool, &[u8]), BytesError> {
    let (header, rest) = content.split_at_checked(HEADER_BYTES).ok_or(BytesError::NotThis)?;
    if header[..8] != MAGIC[..] {
        return Err(BytesError::NotThis);
    }
    let version = u32::from_le_bytes(std::array::from_fn(|index| header[8 + index]));
    if version != VERSION {
        return Err(BytesError::Version { found: version, wanted: VERSION });
    }
    let (proof, digest) = rest
        .len()
        .checked_sub(DIGEST_BYTES)
        .and_then(|end| rest.split_at_checked(end))
        .ok_or(BytesError::Digest)?;
    if Sha256::new().chain_update(header).chain_update(proof).finalize()[..] != *digest {
        return Err(BytesError::Digest);
    }
    match header[12] {
        debug_mode @ 0..=1 => Ok((debug_mode == 1, proof)),
        _ => Err(BytesError::NotThis),
    }
}
