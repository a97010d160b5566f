//! One that proves steps.

use halo2curves::bn256::Fr;

use crate::{error::Error, workload::Workload};

/// A prover and verifier of a workload's steps. Calls come in the order of this list.
pub(crate) trait Side<W: Workload>: Send {
    /// Its name in the results.
    fn name(&self) -> &'static str;

    /// Makes parameters and keys for steps. Returns what they are for, in words; `first` is advice for the first step.
    fn setup(&mut self, first: &W::Advice) -> Result<String, Error>;

    /// Proves one more step.
    fn step(&mut self, advice: &W::Advice) -> Result<(), Error>;

    /// The state after the steps proved so far.
    fn z(&self) -> Result<Vec<Fr>, Error>;

    /// Checks that `steps` steps were proved, without compression. Returns the state after them.
    fn verify(&self, steps: usize) -> Result<Vec<Fr>, Error>;

    /// Makes the keys of the succinct proof.
    fn setup_compress(&mut self) -> Result<(), Error>;

    /// The succinct proof of the steps so far, as bytes.
    fn compress(&self) -> Result<Vec<u8>, Error>;

    /// Checks such bytes, as one who has nothing else but the verifier's key. Returns the state after `steps` steps.
    fn verify_compressed(&self, proof: &[u8], steps: usize) -> Result<Vec<Fr>, Error>;
}
