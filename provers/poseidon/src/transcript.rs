//! The verifier's transcript, which writes again what it reads.
//!
//! The front end reads compressed points leniently (it ignores the infinity flag on other points), and it does
//! not mind bytes that it has not read. Writing every point and scalar again in its one canonical form, and
//! comparing with the proof, refuses both at once.

use std::io;

use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::PrimeField,
        group::GroupEncoding,
    },
    transcript::{Blake2bRead, Challenge255, Transcript, TranscriptRead, TranscriptReadBuffer},
};

pub(crate) struct RewritingTranscript<'a> {
    inner: Blake2bRead<&'a [u8], G1Affine, Challenge255<G1Affine>>,
    rewritten: Vec<u8>,
}

impl<'a> RewritingTranscript<'a> {
    pub(crate) fn new(proof: &'a [u8]) -> Self {
        Self { inner: Blake2bRead::init(proof), rewritten: Vec::with_capacity(proof.len()) }
    }

    /// Everything that was read, in canonical form.
    pub(crate) fn into_rewritten(self) -> Vec<u8> {
        self.rewritten
    }
}

impl Transcript<G1Affine, Challenge255<G1Affine>> for RewritingTranscript<'_> {
    fn squeeze_challenge(&mut self) -> Challenge255<G1Affine> {
        self.inner.squeeze_challenge()
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.inner.common_point(point)
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.inner.common_scalar(scalar)
    }
}

impl TranscriptRead<G1Affine, Challenge255<G1Affine>> for RewritingTranscript<'_> {
    fn read_point(&mut self) -> io::Result<G1Affine> {
        let point = self.inner.read_point()?;
        self.rewritten.extend_from_slice(point.to_bytes().as_ref());
        Ok(point)
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        let scalar = self.inner.read_scalar()?;
        self.rewritten.extend_from_slice(scalar.to_repr().as_ref());
        Ok(scalar)
    }
}
