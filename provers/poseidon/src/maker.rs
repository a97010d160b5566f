//! Who makes proofs. Whoever it is, keys, statements and proofs are the same, and halo2-axiom's verifier checks them.

#[cfg(feature = "accel")]
mod accelerated;
#[cfg(not(feature = "accel"))]
mod front_end;

#[cfg(feature = "accel")]
pub(crate) use accelerated::Maker;
#[cfg(not(feature = "accel"))]
pub(crate) use front_end::Maker;
use halo2_axiom::{
    halo2curves::bn256::G1Affine,
    transcript::{Blake2bWrite, Challenge255},
};

type Transcript = Blake2bWrite<Vec<u8>, G1Affine, Challenge255<G1Affine>>;
