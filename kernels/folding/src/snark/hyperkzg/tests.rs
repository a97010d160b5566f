//! Openings of random polynomials, and what a verifier refuses.

mod challenges;
mod complete;
mod refused;

use halo2curves::bn256::{Fr, G1, G1Affine, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use halo2curves::msm::msm_best;

use super::{Error, Proof, Statement, VerifierKey, prove, verify};
use crate::snark::multilinear::evaluate;
use crate::snark::testing::{random_scalars, rng};
use crate::snark::transcript::Transcript;

/// `[1]_1, [τ]_1, …`, and what a verifier needs of it. Whoever knows `tau` can open anything: for tests alone.
fn powers_of_tau(tau: Fr, count: usize) -> (Vec<G1Affine>, VerifierKey) {
    let scalars = core::iter::successors(Some(Fr::ONE), |power| Some(power * tau)).take(count);
    let points: Vec<G1> = scalars.map(|scalar| G1Affine::generator() * scalar).collect();
    let mut powers = vec![G1Affine::default(); count];
    G1::batch_normalize(&points, &mut powers);
    let key = VerifierKey {
        g1: G1Affine::generator(),
        g2: G2Affine::generator(),
        tau_g2: (G2Affine::generator() * tau).to_affine(),
    };
    (powers, key)
}

/// Polynomials, their commitments, and an opening of them.
struct Opening {
    powers: Vec<G1Affine>,
    key: VerifierKey,
    polynomials: Vec<Vec<Fr>>,
    commitments: Vec<G1Affine>,
    point: Vec<Fr>,
    evaluations: Vec<Fr>,
}

impl Opening {
    /// Polynomials of `lengths` values at a point of `variables` coordinates.
    fn random(seed: u64, variables: usize, lengths: &[usize]) -> Self {
        let rng = &mut rng(seed);
        let (powers, key) = powers_of_tau(random_scalars(rng, 1)[0], 1 << variables);
        let polynomials: Vec<Vec<Fr>> = lengths.iter().map(|length| random_scalars(rng, *length)).collect();
        let point: Vec<Fr> = random_scalars(rng, variables);
        let commit = |values: &Vec<Fr>| msm_best(values, &powers[..values.len()]).to_affine();
        Self {
            commitments: polynomials.iter().map(commit).collect(),
            evaluations: polynomials.iter().map(|values| evaluate(values, &point)).collect(),
            powers,
            key,
            polynomials,
            point,
        }
    }

    fn statement(&self) -> Statement<'_> {
        Statement { commitments: &self.commitments, point: &self.point, evaluations: &self.evaluations }
    }

    fn prove(&self) -> Result<Proof, Error> {
        let polynomials: Vec<&[Fr]> = self.polynomials.iter().map(Vec::as_slice).collect();
        prove(&self.powers, &mut Transcript::new(b"opening"), &self.statement(), &polynomials)
    }

    fn verify(&self, proof: &Proof) -> Result<(), Error> {
        verify(&self.key, &mut Transcript::new(b"opening"), &self.statement(), proof)
    }
}
