//! Proving keys: made when a number of inputs is first used, then cached for the life of the process.

use std::sync::OnceLock;

use halo2_axiom::{
    halo2curves::bn256::G1Affine,
    plonk::{ProvingKey, keygen_pk2},
};

use crate::{circuit::PoseidonCircuit, error::Error, input::INPUTS_MAX, srs::Srs};

/// What proves, and holds what verifies.
pub(crate) type Key = ProvingKey<G1Affine>;

/// One key per number of inputs. A key is small and made in milliseconds, so nothing is stored on disk, where
/// it would have to be checked again.
#[derive(Debug, Default)]
pub(crate) struct Keys {
    keys: [OnceLock<Key>; INPUTS_MAX],
}

impl Keys {
    /// The key for `inputs` elements, which must be 1 to 16. Two threads that need it at once make it once.
    pub(crate) fn get(&self, srs: &Srs, inputs: usize) -> Result<&Key, Error> {
        let cell = &self.keys[inputs - 1];
        if let Some(key) = cell.get() {
            return Ok(key);
        }
        let key = keygen_pk2(srs.params(), &PoseidonCircuit::shape(inputs), false)
            .map_err(|error| Error::ProofSystem(error.to_string()))?;
        Ok(cell.get_or_init(|| key))
    }
}
