//! Keys that are powers of a secret, from the files of public ceremonies.

use std::fs::File;
use std::path::Path;

use halo2curves::bn256::G1Affine;

use self::read::Fail;
use super::CommitmentKey;
use super::error::{Error, PtauFault};
use super::key::check_size;

mod check;
#[cfg(any(test, feature = "insecure-setup"))]
mod insecure;
mod read;
mod sections;
#[cfg(test)]
mod tests;
#[cfg(any(test, feature = "insecure-setup"))]
mod write;

impl CommitmentKey<G1Affine> {
    /// The key of the first `2^k` powers of tau in a file: `points()[i]` is `tau^i` times the generator.
    ///
    /// The file has the format of snarkjs, in which the Perpetual Powers of Tau are published (`ppot_0080_20.ptau` has
    /// powers for `k` up to 20); sections other than the header and the powers of tau may be left out. What is read is
    /// checked: the points are of the right groups, and are the powers of one tau. That nobody knows this tau is what
    /// the ceremony is trusted for, and no check can find.
    ///
    /// # Errors
    ///
    /// [`Error::KeySize`], [`Error::Ptau`] for a file that does not hold such powers, [`Error::Io`].
    pub fn from_ptau(path: &Path, k: usize) -> Result<Self, Error> {
        check_size(k)?;
        let mut file = File::open(path).map_err(Error::io("open", path))?;
        let fault = |fault| Error::Ptau { path: path.to_path_buf(), fault };
        let (powers, structured) = read::read(&mut file, k).map_err(|fail| match fail {
            Fail::Io(source) => Error::io("read", path)(source),
            Fail::Fault(reason) => fault(reason),
        })?;
        if !check::are_powers(&powers, &structured) {
            return Err(fault(PtauFault::Powers));
        }
        Ok(Self::powers_of_tau(powers, k, structured))
    }
}
