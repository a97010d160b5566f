//! Set-up parameters for development: the secret follows from a published seed.

use std::{
    io::{self, Write},
    sync::Once,
};

use halo2_axiom::{halo2curves::bn256::Bn256, poly::kzg::commitment::ParamsKZG};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::SRS_PATH_VARIABLE;
use crate::circuit::K;

/// All who use the development parameters have the same ones, so that proofs verify across processes.
const SEED: [u8; 32] = *b"elastic INSECURE development SRS";

pub(super) fn params() -> ParamsKZG<Bn256> {
    ParamsKZG::setup(K, ChaCha20Rng::from_seed(SEED))
}

/// Says on stderr, once per process, that proofs mean nothing under these parameters.
pub(super) fn warn_once() {
    static WARNED: Once = Once::new();
    WARNED.call_once(|| {
        // Not `eprintln`, which panics where nobody reads stderr any more.
        let _ = writeln!(
            io::stderr(),
            "WARNING: INSECURE development SRS: its secret is public, so anyone can forge proofs. \
             Set {SRS_PATH_VARIABLE} to the .ptau file of a powers-of-tau ceremony for real use."
        );
    });
}
