//! One fold: what the prover sends, and how both sides come to the same accumulator (ProtoGalaxy, section 4).

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;
use rayon::prelude::*;

use super::domain::Domain;
use super::perturbator::{self, squarings};
use super::{Accumulator, Error, FoldShape, Weights, combiner};
use crate::polynomial::evaluate;
use crate::poseidon::RandomOracle;
use crate::relation::{Instance, Relation};

/// What the prover sends. The perturbator's constant is not sent: it is the accumulator's error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof<F> {
    /// `F_1, .., F_t`.
    pub perturbator: Vec<F>,
    /// The coefficients of `K`, from the constant on.
    pub quotient: Vec<F>,
}

impl<F: PrimeField> Proof<F> {
    /// A proof of zeros, in the place of one where nothing is folded.
    #[must_use]
    pub fn empty(shape: &FoldShape) -> Self {
        Self { perturbator: vec![F::ZERO; shape.betas], quotient: vec![F::ZERO; shape.quotient_len()] }
    }
}

/// A fold as its prover has it.
#[derive(Clone, Debug)]
pub struct Folded<C: CurveAffine> {
    /// What is sent.
    pub proof: Proof<C::ScalarExt>,
    /// What comes out.
    pub accumulator: Accumulator<C>,
    /// Its vector.
    pub vector: Vec<C::ScalarExt>,
    /// The challenge of [`Challenged`].
    pub gamma: C::ScalarExt,
}

/// What a transcript makes of an accumulator and a proof, commitments aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenged<F> {
    /// The next `β`.
    pub betas: Vec<F>,
    /// The next error.
    pub error: F,
    /// The challenge with which vectors are combined: of 128 bits for one instance, when commitments and all else are
    /// `old + γ (new - old)`.
    pub gamma: F,
}

/// Folds satisfying vectors into the accumulator's. The oracle must have absorbed the accumulator and all instances.
///
/// Vectors that do not satisfy the relation give an accumulator whose claim does not hold.
#[must_use]
pub fn prove<C: CurveAffine>(
    relation: &Relation<C::ScalarExt>,
    accumulator: (&Accumulator<C>, &[C::ScalarExt]),
    incoming: &[(&Instance<C>, &[C::ScalarExt])],
    oracle: &mut impl RandomOracle<C::ScalarExt>,
) -> Folded<C> {
    let shape = FoldShape::new(relation, incoming.len());
    let (accumulator, vector) = accumulator;
    let values = relation.values(vector);

    let deltas = squarings(oracle.squeeze(), shape.betas);
    let mut perturbator = perturbator::coefficients(&values, &accumulator.betas, &deltas);
    perturbator.remove(0);
    let (betas, claim) = perturb(accumulator, &deltas, &perturbator, oracle);

    let vectors: Vec<_> = std::iter::once(vector).chain(incoming.iter().map(|(_, vector)| *vector)).collect();
    let quotient = combiner::quotient(relation, &vectors, &values, &Weights::new(&betas));
    let (gamma, factors, error) = combine(shape, claim, &quotient, oracle);

    let instances: Vec<_> = incoming.iter().map(|(instance, _)| *instance).collect();
    let instance = fold_instances(&accumulator.instance, &instances, &factors);
    Folded {
        proof: Proof { perturbator, quotient },
        accumulator: Accumulator { instance, betas, error },
        vector: fold_vectors(&vectors, &factors),
        gamma,
    }
}

/// The accumulator after a fold. The oracle must have absorbed the accumulator and all instances.
///
/// # Errors
/// When anything is not of the relation's shape. That the fold is honest shows in the claim of what comes out.
pub fn verify<C: CurveAffine>(
    shape: FoldShape,
    accumulator: &Accumulator<C>,
    incoming: &[&Instance<C>],
    proof: &Proof<C::ScalarExt>,
    oracle: &mut impl RandomOracle<C::ScalarExt>,
) -> Result<Accumulator<C>, Error> {
    shape.check(accumulator, incoming, proof)?;
    let Challenged { betas, error, gamma } = challenge(shape, accumulator, proof, oracle);
    let factors = Domain::new(shape.incoming).lagrange(gamma);
    Ok(Accumulator { instance: fold_instances(&accumulator.instance, incoming, &factors), betas, error })
}

/// The scalars of a fold, for a proof of the relation's shape. The oracle must have absorbed the accumulator and all
/// instances.
#[must_use]
pub fn challenge<C: CurveAffine>(
    shape: FoldShape,
    accumulator: &Accumulator<C>,
    proof: &Proof<C::ScalarExt>,
    oracle: &mut impl RandomOracle<C::ScalarExt>,
) -> Challenged<C::ScalarExt> {
    let deltas = squarings(oracle.squeeze(), shape.betas);
    let (betas, claim) = perturb(accumulator, &deltas, &proof.perturbator, oracle);
    let (gamma, _, error) = combine(shape, claim, &proof.quotient, oracle);
    Challenged { betas, error, gamma }
}

/// The next `β`, and `F(α)`. The constant of `F` is the accumulator's error: a prover that could choose it could heal
/// an error that nothing justifies.
fn perturb<C: CurveAffine>(
    accumulator: &Accumulator<C>,
    deltas: &[C::ScalarExt],
    perturbator: &[C::ScalarExt],
    oracle: &mut impl RandomOracle<C::ScalarExt>,
) -> (Vec<C::ScalarExt>, C::ScalarExt) {
    oracle.absorb_all(perturbator);
    let alpha = oracle.squeeze();
    let moved = accumulator.betas.iter().zip(deltas).map(|(beta, delta)| alpha * delta + beta);
    (moved.collect(), accumulator.error + alpha * evaluate(perturbator, alpha))
}

/// `γ`, `L_0(γ), .., L_L(γ)`, and the next error `F(α) L_0(γ) + Z(γ) K(γ)`.
///
/// With one instance `γ` has 128 bits: commitments are then multiplied by nothing longer.
fn combine<F: PrimeField>(
    shape: FoldShape,
    claim: F,
    quotient: &[F],
    oracle: &mut impl RandomOracle<F>,
) -> (F, Vec<F>, F) {
    oracle.absorb_all(quotient);
    let gamma = if shape.incoming == 1 { F::from_u128(oracle.squeeze_challenge()) } else { oracle.squeeze() };
    let domain = Domain::new(shape.incoming);
    let factors = domain.lagrange(gamma);
    let error = claim * factors[0] + domain.vanishing(gamma) * evaluate(quotient, gamma);
    (gamma, factors, error)
}

fn fold_instances<C: CurveAffine>(
    accumulator: &Instance<C>,
    incoming: &[&Instance<C>],
    factors: &[C::ScalarExt],
) -> Instance<C> {
    let instances = std::iter::once(accumulator).chain(incoming.iter().copied());
    Instance::combination(&instances.zip(factors.iter().copied()).collect::<Vec<_>>())
}

fn fold_vectors<F: PrimeField>(vectors: &[&[F]], factors: &[F]) -> Vec<F> {
    let entries = (0..vectors[0].len()).into_par_iter().with_min_len(1 << 10);
    if let [accumulator, incoming] = vectors {
        // L_0 = 1 - γ and L_1 = γ: one product an entry.
        let gamma = factors[1];
        return entries
            .map(|index| accumulator[index] + gamma * (incoming[index] - accumulator[index]))
            .collect();
    }
    let entry =
        |index: usize| vectors.iter().zip(factors).map(|(vector, factor)| vector[index] * factor).sum();
    entries.map(entry).collect()
}
