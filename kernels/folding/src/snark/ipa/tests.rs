//! Arguments about random vectors, and what a verifier refuses.

mod challenges;
mod complete;
mod refused;

use halo2curves::ff::Field;
use halo2curves::group::Curve;
use halo2curves::grumpkin::{Fr, G1Affine};
use halo2curves::msm::msm_best;

use super::{Error, Key, Proof, Statement, prove, verify};
use crate::snark::testing::{random_points, random_scalars, rng};
use crate::snark::transcript::Transcript;

/// Vectors, their commitments, and their inner products with `b`.
struct Argument {
    generators: Vec<G1Affine>,
    base: G1Affine,
    vectors: Vec<Vec<Fr>>,
    commitments: Vec<G1Affine>,
    b: Vec<Fr>,
    products: Vec<Fr>,
}

fn product(a: &[Fr], b: &[Fr]) -> Fr {
    a.iter().zip(b).fold(Fr::ZERO, |sum, (a, b)| sum + a * b)
}

impl Argument {
    /// Vectors of `lengths` elements, and a `b` of `length`.
    fn random(seed: u64, length: usize, lengths: &[usize]) -> Self {
        let rng = &mut rng(seed);
        let generators: Vec<G1Affine> = random_points(rng, length);
        let vectors: Vec<Vec<Fr>> = lengths.iter().map(|length| random_scalars(rng, *length)).collect();
        let b: Vec<Fr> = random_scalars(rng, length);
        let commit = |a: &Vec<Fr>| msm_best(a, &generators[..a.len()]).to_affine();
        Self {
            commitments: vectors.iter().map(commit).collect(),
            products: vectors.iter().map(|a| product(a, &b)).collect(),
            base: random_points(rng, 1)[0],
            generators,
            vectors,
            b,
        }
    }

    fn key(&self) -> Key<'_, G1Affine> {
        Key { generators: &self.generators, base: self.base }
    }

    fn statement(&self) -> Statement<'_, G1Affine> {
        Statement { commitments: &self.commitments, b: &self.b, products: &self.products }
    }

    fn prove(&self) -> Result<Proof<G1Affine>, Error> {
        let vectors: Vec<&[Fr]> = self.vectors.iter().map(Vec::as_slice).collect();
        prove(&self.key(), &mut Transcript::new(b"argument"), &self.statement(), &vectors)
    }

    fn verify(&self, proof: &Proof<G1Affine>) -> Result<(), Error> {
        verify(&self.key(), &mut Transcript::new(b"argument"), &self.statement(), proof)
    }
}
