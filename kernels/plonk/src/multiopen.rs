//! KZG's multi-openings: one or a few points that open many polynomials.

mod gwc;
mod shplonk;

use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    poly::kzg::multiopen::{ProverGWC, ProverSHPLONK},
    transcript::{EncodedChallenge, TranscriptWrite},
};
use zkaccel::Buffer;

use crate::{error::Result, srs::Srs};

/// A multi-opening scheme: halo2-axiom's `ProverSHPLONK` or `ProverGWC`, which stand for it here.
pub trait Multiopen: sealed::Open {}

impl Multiopen for ProverSHPLONK<'_, Bn256> {}
impl Multiopen for ProverGWC<'_, Bn256> {}

/// A polynomial at a point.
#[derive(Clone, Copy)]
pub(crate) struct Query<'p> {
    /// Which polynomial.
    pub(crate) poly: usize,
    /// Which point: below the number of rows.
    pub(crate) rotation: i32,
    pub(crate) coefficients: &'p Buffer<Fr>,
    pub(crate) point: Fr,
    pub(crate) value: Fr,
}

pub(crate) use sealed::Open;

mod sealed {
    use super::*;

    /// Writes the opening to the transcript.
    pub trait Open {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "sealed: nobody else implements or calls it")]
        fn open<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
            srs: &Srs,
            queries: &[Query<'_>],
            transcript: &mut T,
        ) -> Result<()>;
    }
}
