//! A transcript that notes when its challenges are squeezed: both provers squeeze the same ones, at the ends of their stages.

use std::{
    io,
    time::{Duration, Instant},
};

use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    transcript::{Blake2bWrite, Challenge255, Transcript, TranscriptWrite, TranscriptWriterBuffer},
};

type Inner = Blake2bWrite<Vec<u8>, G1Affine, Challenge255<G1Affine>>;

/// Stages by the challenge that ends each, for circuits without challenges: theta, beta, y, x, and the first of the
/// multi-opening.
const STAGES: [(&str, usize); 5] =
    [("witness", 0), ("lookups", 1), ("products", 3), ("quotient", 4), ("evaluations", 5)];

pub(crate) struct Timed {
    inner: Inner,
    start: Instant,
    squeezed: Vec<Instant>,
}

impl Timed {
    pub(crate) fn start() -> Self {
        Self { inner: Inner::init(Vec::new()), start: Instant::now(), squeezed: Vec::new() }
    }

    /// The whole time and each stage's, and the proof.
    pub(crate) fn end(self) -> (Vec<(&'static str, Duration)>, Vec<u8>) {
        let end = Instant::now();
        let mut times = vec![("proof", end - self.start)];
        let mut since = self.start;
        for (stage, challenge) in STAGES {
            let until = self.squeezed.get(challenge).copied().unwrap_or(end);
            times.push((stage, until - since));
            since = until;
        }
        times.push(("openings", end - since));
        (times, self.inner.finalize())
    }
}

impl Transcript<G1Affine, Challenge255<G1Affine>> for Timed {
    fn squeeze_challenge(&mut self) -> Challenge255<G1Affine> {
        self.squeezed.push(Instant::now());
        self.inner.squeeze_challenge()
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.inner.common_point(point)
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.inner.common_scalar(scalar)
    }
}

impl TranscriptWrite<G1Affine, Challenge255<G1Affine>> for Timed {
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.inner.write_point(point)
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.inner.write_scalar(scalar)
    }
}
