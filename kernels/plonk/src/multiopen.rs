//! KZG's multi-openings: one or a few points that open many polynomials.

mod gwc;
mod shplonk;

use halo2_axiom::{
    halo2curves::bn256::{Bn256, Fr, G1Affine},
    poly::kzg::multiopen::{ProverGWC, ProverSHPLONK},
    transcript::{EncodedChallenge, TranscriptWrite},
};
use zkaccel::Buffer;

use crate::{
    engine::Engine,
    error::Result,
    plan::Scheme,
    srs::{Basis, Srs},
};

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

/// What openings are made with.
pub(crate) struct Tools<'a> {
    pub(crate) srs: &'a Srs,
    pub(crate) engine: &'a Engine<'a>,
    /// Columns that are committed to in one call.
    pub(crate) staged: usize,
}

impl Tools<'_> {
    fn commit<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
        &self,
        polys: &[&Buffer<Fr>],
        transcript: &mut T,
    ) -> Result<()> {
        for commitment in self.srs.commit(self.engine, self.staged, Basis::Coefficients, polys)? {
            transcript.write_point(commitment)?;
        }
        Ok(())
    }
}

pub(crate) use sealed::Open;

mod sealed {
    use super::*;

    /// Writes the opening to the transcript.
    pub trait Open {
        #[doc(hidden)]
        #[expect(private_interfaces, reason = "sealed: nobody else implements or reads it")]
        const SCHEME: Scheme;

        #[doc(hidden)]
        #[expect(private_interfaces, reason = "sealed: nobody else implements or calls it")]
        fn open<E: EncodedChallenge<G1Affine>, T: TranscriptWrite<G1Affine, E>>(
            tools: &Tools<'_>,
            queries: &[Query<'_>],
            transcript: &mut T,
        ) -> Result<()>;
    }
}
