//! What prover and verifier have to agree on: the step, the keys, the oracle.

use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Once;

use elastic_folding::commitment::CommitmentKey;
use elastic_folding::frontend::trivial;
use elastic_folding::ivc::{CircuitPublicParamsInput, ProverKey, PublicParams, VerifierKey};
use elastic_folding::poseidon::{PoseidonRo, Spec};
use halo2curves::{bn256, grumpkin};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng as _;

use crate::circuit::MinRootCircuit;
use crate::error::SetupError;

/// Iterations of the function in one step.
pub const ITERATIONS: usize = 1024;

/// Names the powers-of-tau file (of snarkjs' format) of a ceremony, with 2^14 powers or more.
pub const SRS_PATH_VARIABLE: &str = "ELASTIC_SRS_PATH";

const TABLE_SIZE: u32 = 17;
const PRIMARY_KEY_SIZE: usize = 14;
const SECONDARY_KEY_SIZE: usize = 11;
const LIMB_WIDTH: NonZeroUsize = NonZeroUsize::new(68).expect("not 0");
const LIMBS: NonZeroUsize = NonZeroUsize::new(4).expect("not 0");
/// S-boxes a row of the verifier's circuit.
const MAIN_GATE_SIZE: usize = 5;

/// The tau of the development parameters follows from this, and so is known to everybody.
const DEVELOPMENT_SEED: u64 = 0x7461_755f_6973_6b6e;

type Oracle = PoseidonRo<5, 4>;
pub(crate) type Secondary = trivial::Circuit<1, grumpkin::Fr>;
pub(crate) type Parameters = PublicParams<
    'static,
    2,
    1,
    MAIN_GATE_SIZE,
    bn256::G1Affine,
    grumpkin::G1Affine,
    MinRootCircuit,
    Secondary,
    Oracle,
    Oracle,
>;

/// The public parameters of this prover, and the keys of its proofs. A process makes one and keeps it: what it refers to
/// is never freed.
pub struct Setup {
    pub(crate) parameters: Parameters,
    pub(crate) secondary: Secondary,
    pub(crate) prover: ProverKey<'static>,
    pub(crate) verifier: VerifierKey<2, 1, Oracle>,
    pub(crate) development: bool,
}

/// What commits: for powers of tau, and for the secondary circuit.
pub(crate) struct Keys {
    pub(crate) primary: CommitmentKey<bn256::G1Affine>,
    pub(crate) secondary: CommitmentKey<grumpkin::G1Affine>,
}

/// What becomes of keys before they are used.
type Prepare = fn(&mut Keys) -> Result<(), SetupError>;

impl Setup {
    /// Under the powers-of-tau file that `ELASTIC_SRS_PATH` names, or else under the development parameters, with a warning
    /// on stderr: with those, anyone can forge proofs.
    ///
    /// # Errors
    /// When the named file cannot be used. There is no falling back from a named file.
    pub fn from_env() -> Result<Self, SetupError> {
        Self::from_env_with(|_| Ok(()))
    }

    /// [`Self::from_env`] with keys that were prepared.
    pub(crate) fn from_env_with(prepare: Prepare) -> Result<Self, SetupError> {
        match std::env::var_os(SRS_PATH_VARIABLE) {
            Some(path) => Self::from_ptau_with(&path, prepare),
            None => Self::development_with(prepare),
        }
    }

    /// Under a powers-of-tau file.
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn from_ptau(path: &OsStr) -> Result<Self, SetupError> {
        Self::from_ptau_with(path, |_| Ok(()))
    }

    fn from_ptau_with(path: &OsStr, prepare: Prepare) -> Result<Self, SetupError> {
        let path = Path::new(path);
        let powers = CommitmentKey::from_ptau(path, PRIMARY_KEY_SIZE)
            .map_err(|source| SetupError::PowersOfTau { path: path.to_path_buf(), source })?;
        Self::new(powers, false, prepare)
    }

    /// Under parameters whose secret is public.
    ///
    /// # Errors
    /// Never for what is compiled in; what fails there is reported.
    pub fn development() -> Result<Self, SetupError> {
        Self::development_with(|_| Ok(()))
    }

    pub(crate) fn development_with(prepare: Prepare) -> Result<Self, SetupError> {
        static WARNED: Once = Once::new();
        WARNED.call_once(|| {
            // Not `eprintln`, which panics where nobody reads stderr any more.
            let _ = writeln!(
                io::stderr(),
                "WARNING: INSECURE development parameters: their tau is public, so anyone can forge proofs. \
                 Set {SRS_PATH_VARIABLE} to the .ptau file of a powers-of-tau ceremony for real use."
            );
        });
        let rng = ChaCha20Rng::seed_from_u64(DEVELOPMENT_SEED);
        Self::new(CommitmentKey::insecure_setup(PRIMARY_KEY_SIZE, rng)?, true, prepare)
    }

    fn new(
        powers: CommitmentKey<bn256::G1Affine>,
        development: bool,
        prepare: Prepare,
    ) -> Result<Self, SetupError> {
        let label = b"elastic ivc-minroot 1, secondary key";
        let mut keys = Keys { primary: powers, secondary: CommitmentKey::setup(SECONDARY_KEY_SIZE, label)? };
        prepare(&mut keys)?;
        let Keys { primary: primary_key, secondary: secondary_key } = &*Box::leak(Box::new(keys));
        let primary = &*Box::leak(Box::new(MinRootCircuit::of_iterations(ITERATIONS)));
        let secondary = &*Box::leak(Box::new(Secondary::default()));
        let parameters = Parameters::new(
            CircuitPublicParamsInput::new(TABLE_SIZE, primary_key, Spec::reference()?, primary),
            CircuitPublicParamsInput::new(TABLE_SIZE, secondary_key, Spec::reference()?, secondary),
            LIMB_WIDTH,
            LIMBS,
        )?;
        let (prover, verifier) = parameters.compression_keys()?;
        Ok(Self { parameters, secondary: Secondary::default(), prover, verifier, development })
    }
}
