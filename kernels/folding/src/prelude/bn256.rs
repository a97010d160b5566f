//! Computations whose primary circuit is over the scalars of bn256, and whose secondary is over those of grumpkin.
//!
//! [`IVC`], [`Proof`] and [`PublicParams`] are here for these curves, and in the prelude for any: where both are imported,
//! import them by name.
//!
//! What a verifier does, who has the bytes of a compressed proof and of a key, and knows the digest of the key it trusts:
//!
//! ```no_run
//! use elastic_folding::prelude::Spec;
//! use elastic_folding::prelude::bn256::{C1Scalar, C2Scalar, CompressedProof, VerifierKey};
//!
//! # fn check(proof: &[u8], key: &[u8], trusted: [u8; 32]) -> Result<(), Box<dyn std::error::Error>> {
//! let key = VerifierKey::<1, 1>::from_bytes(key, Spec::reference()?)?;
//! assert_eq!(key.digest(), trusted);
//! let (z_0, secondary_z_0) = ([C1Scalar::from(1)], [C2Scalar::from(2)]);
//! let (z, _) = CompressedProof::from_bytes(proof)?.verify(&key, 2, &z_0, &secondary_z_0)?;
//! # Ok(())
//! # }
//! ```

use std::num::NonZeroUsize;

use halo2curves::{bn256, grumpkin};

use crate::commitment::CommitmentKey;
use crate::frontend::StepCircuit;
use crate::ivc::{self, CircuitPublicParamsInput, Error};
use crate::poseidon::{PoseidonRo, Spec};

pub use crate::ivc::CompressedProof;

/// The primary curve: bn256.
pub type C1 = bn256::G1;
/// A point of the primary curve by its coordinates: what a primary key is made of.
pub type C1Affine = bn256::G1Affine;
/// What a primary step circuit computes with.
pub type C1Scalar = bn256::Fr;
/// The secondary curve: grumpkin.
pub type C2 = grumpkin::G1;
/// A point of the secondary curve by its coordinates: what a secondary key is made of.
pub type C2Affine = grumpkin::G1Affine;
/// What a secondary step circuit computes with.
pub type C2Scalar = grumpkin::Fr;

/// S-boxes that a row of the verifier's circuit takes by default.
pub const MAIN_GATE_SIZE: usize = 5;
/// Bits of a limb by default.
pub const LIMB_WIDTH: NonZeroUsize = NonZeroUsize::new(68).expect("it is not 0");
/// The most limbs of an element by default.
pub const LIMBS_COUNT_LIMIT: NonZeroUsize = NonZeroUsize::new(4).expect("it is not 0");

/// The default random oracle, of both circuits: Poseidon, five elements wide.
pub type RandomOracle = PoseidonRo<5, 4>;

/// Public parameters as [`new_default_pp`] makes them.
pub type PublicParams<'key, const A1: usize, const A2: usize, SC1, SC2> =
    ivc::PublicParams<'key, A1, A2, MAIN_GATE_SIZE, C1Affine, C2Affine, SC1, SC2, RandomOracle, RandomOracle>;

/// A computation over these curves.
pub type IVC<const A1: usize, const A2: usize> = ivc::IVC<A1, A2, C1Affine, C2Affine>;

/// A proof of a computation over these curves.
pub type Proof<const A1: usize, const A2: usize> = ivc::Proof<A1, A2, C1Affine, C2Affine>;

/// What a verifier of compressed proofs over these curves needs, with the default oracle: its constants are
/// [`Spec::reference`].
pub type VerifierKey<const A1: usize, const A2: usize> = ivc::VerifierKey<A1, A2, RandomOracle>;

/// Public parameters with Poseidon's reference rounds and the defaults above. They borrow the keys, not the circuits.
///
/// The sizes are crosswise: that of the **secondary** table comes first, before the primary key and circuit, and that of
/// the **primary** table before the secondary key and circuit. Both are powers of two, 17 or more.
///
/// # Errors
/// As [`ivc::PublicParams::new`].
///
/// # Panics
/// When a step circuit has instance columns.
pub fn new_default_pp<'key, const A1: usize, SC1, const A2: usize, SC2>(
    secondary_k_table_size: u32,
    primary_commitment_key: &'key CommitmentKey<C1Affine>,
    primary: &SC1,
    primary_k_table_size: u32,
    secondary_commitment_key: &'key CommitmentKey<C2Affine>,
    secondary: &SC2,
) -> Result<PublicParams<'key, A1, A2, SC1, SC2>, Error>
where
    SC1: StepCircuit<A1, C1Scalar>,
    SC2: StepCircuit<A2, C2Scalar>,
{
    PublicParams::new(
        CircuitPublicParamsInput::new(
            primary_k_table_size,
            primary_commitment_key,
            Spec::reference()?,
            primary,
        ),
        CircuitPublicParamsInput::new(
            secondary_k_table_size,
            secondary_commitment_key,
            Spec::reference()?,
            secondary,
        ),
        LIMB_WIDTH,
        LIMBS_COUNT_LIMIT,
    )
}
