//! A transcript on a Poseidon sponge of width 3, as circuits that verify proofs have it: the prover's side writes, the
//! verifier's reads. What is absorbed since the last challenge is padded with a one.

use std::io;

use grain::Grain;
use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::{Field, FromUniformBytes, PrimeField},
        group::GroupEncoding,
    },
    transcript::{EncodedChallenge, Transcript, TranscriptRead, TranscriptWrite},
};

const WIDTH: usize = 3;
const FULL_ROUNDS: usize = 8;
const PARTIAL_ROUNDS: usize = 57;

/// A challenge is what the sponge returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squeezed(Fr);

impl EncodedChallenge<G1Affine> for Squeezed {
    type Input = Fr;

    fn new(input: &Fr) -> Self {
        Self(*input)
    }

    fn get_scalar(&self) -> Fr {
        self.0
    }
}

/// Over `Vec<u8>` it writes and over `&[u8]` it reads.
pub(crate) struct Poseidon<B> {
    pub(crate) bytes: B,
    state: [Fr; WIDTH],
    absorbed: Vec<Fr>,
    constants: Vec<[Fr; WIDTH]>,
    matrix: [[Fr; WIDTH]; WIDTH],
}

impl<B> Poseidon<B> {
    pub(crate) fn new(bytes: B) -> Self {
        let mut grain = Grain::<Fr>::new(WIDTH, FULL_ROUNDS, PARTIAL_ROUNDS);
        let constants = (0..FULL_ROUNDS + PARTIAL_ROUNDS)
            .map(|_| [(); WIDTH].map(|()| grain.element_by_rejection()))
            .collect();
        let [xs, ys] = [(); 2].map(|()| [(); WIDTH].map(|()| grain.element_by_reduction()));
        let matrix = xs.map(|x| ys.map(|y| (x + y).invert().expect("no sum of two points is zero")));
        Self { bytes, state: [Fr::ZERO; WIDTH], absorbed: Vec::new(), constants, matrix }
    }

    fn permute(&mut self) {
        for (round, constants) in self.constants.iter().enumerate() {
            let is_full = !(FULL_ROUNDS / 2..FULL_ROUNDS / 2 + PARTIAL_ROUNDS).contains(&round);
            for (at, (element, constant)) in self.state.iter_mut().zip(constants).enumerate() {
                *element += constant;
                if at == 0 || is_full {
                    *element *= element.square().square();
                }
            }
            let state = self.state;
            self.state =
                self.matrix.map(|row| row.iter().zip(state).map(|(factor, element)| factor * element).sum());
        }
    }
}

impl<B> Transcript<G1Affine, Squeezed> for Poseidon<B> {
    fn squeeze_challenge(&mut self) -> Squeezed {
        let mut absorbed = std::mem::take(&mut self.absorbed);
        absorbed.push(Fr::ONE);
        for pair in absorbed.chunks(WIDTH - 1) {
            for (element, input) in self.state[1..].iter_mut().zip(pair) {
                *element += input;
            }
            self.permute();
        }
        Squeezed::new(&self.state[1])
    }

    fn common_point(&mut self, point: G1Affine) -> io::Result<()> {
        for coordinate in [point.x, point.y] {
            let mut wide = [0; 64];
            wide[..32].copy_from_slice(coordinate.to_repr().as_ref());
            self.absorbed.push(Fr::from_uniform_bytes(&wide));
        }
        Ok(())
    }

    fn common_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.absorbed.push(scalar);
        Ok(())
    }
}

impl TranscriptWrite<G1Affine, Squeezed> for Poseidon<Vec<u8>> {
    fn write_point(&mut self, point: G1Affine) -> io::Result<()> {
        self.bytes.extend_from_slice(point.to_bytes().as_ref());
        self.common_point(point)
    }

    fn write_scalar(&mut self, scalar: Fr) -> io::Result<()> {
        self.bytes.extend_from_slice(scalar.to_repr().as_ref());
        self.common_scalar(scalar)
    }
}

impl TranscriptRead<G1Affine, Squeezed> for Poseidon<&[u8]> {
    fn read_point(&mut self) -> io::Result<G1Affine> {
        let mut repr = <G1Affine as GroupEncoding>::Repr::default();
        io::Read::read_exact(&mut self.bytes, repr.as_mut())?;
        let point = Option::from(G1Affine::from_bytes(&repr)).ok_or(io::ErrorKind::InvalidData)?;
        self.common_point(point)?;
        Ok(point)
    }

    fn read_scalar(&mut self) -> io::Result<Fr> {
        let mut repr = <Fr as PrimeField>::Repr::default();
        io::Read::read_exact(&mut self.bytes, repr.as_mut())?;
        let scalar = Option::from(Fr::from_repr(repr)).ok_or(io::ErrorKind::InvalidData)?;
        self.common_scalar(scalar)?;
        Ok(scalar)
    }
}
