//! A transcript that remembers its steps.

use std::io;

use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::PrimeField,
    },
    transcript::{Challenge255, EncodedChallenge, Transcript, TranscriptWrite, TranscriptWriterBuffer},
};

use crate::support::Writer;

/// What was written or squeezed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    CommonPoint(G1Affine),
    CommonScalar(Fr),
    Point(G1Affine),
    Scalar(Fr),
    Challenge(Fr),
}

pub(crate) struct Recorder {
    inner: Writer,
    steps: Vec<Step>,
}

impl Default for Recorder {
    fn default() -> Self {
        Self { inner: Writer::init(Vec::new()), steps: Vec::new() }
    }
}

impl Recorder {
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// A challenge after all that was written, as hexadecimal digits.
    pub(crate) fn end(&mut self) -> String {
        let end = *self.inner.squeeze_challenge_scalar::<()>();
        end.to_repr().as_ref().iter().rev().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn finalize(self) -> Vec<u8> {
        self.inner.finalize()
    }
}

impl Transcript<G1Affine, Challenge255<G1Affine>> for Recorder {
    fn squeeze_challenge(&mut self) -> Challenge255<G1Affine> {
        let challenge = self.inner.squeeze_challenge();
        self.steps.push(Step::Challenge(challenge.get_scalar()));
        challenge
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.steps.push(Step::CommonPoint(point));
        self.inner.common_point(point)
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.steps.push(Step::CommonScalar(scalar));
        self.inner.common_scalar(scalar)
    }
}

impl TranscriptWrite<G1Affine, Challenge255<G1Affine>> for Recorder {
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.steps.push(Step::Point(point));
        self.inner.write_point(point)
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.steps.push(Step::Scalar(scalar));
        self.inner.write_scalar(scalar)
    }
}
