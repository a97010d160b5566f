//! The set-up parameters (structured reference string) of the KZG commitments.

mod development;
mod ptau;

use std::path::Path;

use halo2_axiom::{
    halo2curves::bn256::{Bn256, G1Affine, G2Affine},
    poly::kzg::commitment::ParamsKZG,
};

use crate::{circuit::K, error::SrsError};

/// The environment variable that names a powers-of-tau file.
pub const SRS_PATH_VARIABLE: &str = "ELASTIC_SRS_PATH";

/// Powers of tau in G1 that the circuits need: one per row of the table.
const POWERS: usize = 1 << K;

/// Powers of a secret tau in the groups of BN254. Whoever knows tau can forge proofs under it.
#[derive(Debug)]
pub struct Srs {
    params: ParamsKZG<Bn256>,
    development: bool,
}

impl Srs {
    /// The file that `ELASTIC_SRS_PATH` names, or the development parameters with a warning on stderr.
    ///
    /// # Errors
    ///
    /// When the variable is set, even to nothing, and no file there can be used.
    pub fn from_env() -> Result<Self, SrsError> {
        match std::env::var_os(SRS_PATH_VARIABLE) {
            Some(path) => Self::from_ptau(Path::new(&path)),
            None => {
                development::warn_once();
                Ok(Self::development())
            }
        }
    }

    /// Parameters whose secret is published in this source: for development only.
    #[must_use]
    pub fn development() -> Self {
        Self { params: development::params(), development: true }
    }

    /// Reads a file of a powers-of-tau ceremony, in snarkjs' `.ptau` format, over BN254.
    ///
    /// Everything that is used of it is checked: points on the curve and in the group, and that they are the
    /// powers of one number.
    ///
    /// # Errors
    ///
    /// [`SrsError`] says what is wrong with the file.
    pub fn from_ptau(path: &Path) -> Result<Self, SrsError> {
        let powers = ptau::read(path, POWERS)?;
        Ok(Self { params: from_powers(powers.g1, powers.g2, powers.tau_g2), development: false })
    }

    /// Whether these are the parameters whose secret is published.
    #[must_use]
    pub fn is_development(&self) -> bool {
        self.development
    }

    pub(crate) fn params(&self) -> &ParamsKZG<Bn256> {
        &self.params
    }
}

/// The front end has no free constructor: `from_parts` ignores the value that it is called on.
fn from_powers(g1: Vec<G1Affine>, g2: G2Affine, tau_g2: G2Affine) -> ParamsKZG<Bn256> {
    development::params().from_parts(K, g1, None, g2, tau_g2)
}
