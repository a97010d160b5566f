//! Claims of accumulators over random relations.

mod complete;
mod refused;

use std::sync::Arc;

use halo2curves::bn256::{self, Fr, G1Affine};
use halo2curves::ff::Field as _;
use halo2curves::grumpkin;
use rand_chacha::ChaCha20Rng;

use super::*;
use crate::commitment::{CommitmentKey, Curve};
use crate::cross_term::{self, RelaxedRelation};
use crate::protogalaxy;
use crate::relation::samples::mixed::{GroupSample, Sample};
use crate::relation::{Instance, Layout, Relation};
use crate::snark::hyperkzg;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::testing::{random_scalars, rng};

/// Claims with all that is behind them.
struct Claimed {
    powers: CommitmentKey<G1Affine>,
    generators: CommitmentKey<grumpkin::G1Affine>,
    key: VerifierKey,
    primary: protogalaxy::Accumulator<G1Affine>,
    primary_vector: Vec<Fr>,
    secondary: cross_term::Accumulator<grumpkin::G1Affine>,
    secondary_witness: cross_term::Witness<grumpkin::Fr>,
}

fn sample(rounds: usize) -> Sample {
    let group = |rows, polynomials, degree| GroupSample { rows, polynomials, degree };
    Sample {
        publics: 2,
        challenges: rounds,
        rounds,
        free: 7,
        groups: vec![group(21, 1, 5), group(8, 3, 2), group(1, 2, 1), group(5, 1, 6)],
    }
}

/// A vector's public part and commitments.
fn instance<C: Curve>(key: &CommitmentKey<C>, layout: &Layout, z: &[C::ScalarExt]) -> Instance<C> {
    Instance {
        commitments: (0..layout.rounds.len())
            .map(|round| key.commit(&z[layout.round(round)]).unwrap())
            .collect(),
        publics: z[layout.public()].to_vec(),
        challenges: z[layout.challenge()].to_vec(),
    }
}

impl Claimed {
    /// Two random claims that hold: the sum and the errors are those of random vectors.
    fn random(rng: &mut ChaCha20Rng, rounds: usize) -> Self {
        let powers = CommitmentKey::insecure_setup(7, &mut *rng).unwrap();
        let generators = CommitmentKey::setup(7, b"accumulators").unwrap();
        let primary = Arc::new(sample(rounds).build::<Fr>(rng));
        let relaxed = Arc::new(RelaxedRelation::new(&sample(rounds).build::<grumpkin::Fr>(rng)));
        let key = verifier_key(&powers, &generators, &primary, &relaxed).unwrap();

        let mut z = random_scalars(rng, primary.layout().len());
        z[Layout::ONE] = Fr::ONE;
        let betas: Vec<Fr> = random_scalars(rng, protogalaxy::betas_for(primary.numbers()));
        let mut accumulator = protogalaxy::Accumulator {
            instance: instance(&powers, primary.layout(), &z),
            betas,
            error: Fr::ZERO,
        };
        accumulator.error = sum(&accumulator, &primary, &z);

        let relation = relaxed.relation();
        let vector = random_scalars(rng, relation.layout().len());
        let error = relation.values(&vector);
        let secondary = cross_term::Accumulator {
            instance: instance(&generators, relation.layout(), &vector),
            scale: vector[Layout::ONE],
            error: generators.commit(&error).unwrap(),
        };
        assert!(accumulator.claim_holds(&primary, &z));
        assert!(secondary.claim_holds(&relaxed, &vector, &error));
        Self {
            powers,
            generators,
            key,
            primary: accumulator,
            primary_vector: z,
            secondary,
            secondary_witness: cross_term::Witness { vector, error },
        }
    }

    fn accumulators(&self) -> Accumulators<'_> {
        Accumulators { primary: &self.primary, secondary: &self.secondary }
    }

    fn prove(&self) -> Proof {
        let key = ProverKey::new(&self.key, self.powers.points()).unwrap();
        let witnesses = Witnesses { primary: &self.primary_vector, secondary: &self.secondary_witness };
        prove(&key, &self.accumulators(), &witnesses).unwrap()
    }

    fn verify(&self, proof: &Proof) -> Result<(), Error> {
        verify(&self.key, &self.accumulators(), proof)
    }
}

/// `Σ_i pow_i(β) f_i(z)`.
fn sum(accumulator: &protogalaxy::Accumulator<G1Affine>, relation: &Relation<Fr>, z: &[Fr]) -> Fr {
    let betas: Vec<Fr> = accumulator.betas.iter().rev().copied().collect();
    let weights = ProductPolynomial::powers(&betas).table();
    relation.values(z).iter().zip(&weights).map(|(value, weight)| *value * weight).sum()
}

fn verifier_key(
    powers: &CommitmentKey<G1Affine>,
    generators: &CommitmentKey<grumpkin::G1Affine>,
    primary: &Arc<Relation<bn256::Fr>>,
    secondary: &Arc<RelaxedRelation<grumpkin::Fr>>,
) -> Result<VerifierKey, Error> {
    let structured = powers.structured().unwrap();
    let opened =
        hyperkzg::VerifierKey { g1: powers.points()[0], g2: structured.g2, tau_g2: structured.tau_g2 };
    let base = CommitmentKey::setup(0, b"base").unwrap().points()[0];
    VerifierKey::new(Arc::clone(primary), Arc::clone(secondary), opened, generators.points(), base)
}
