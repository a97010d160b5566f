//! Sums of random relations against their definition, and what a verifier refuses.

mod complete;
mod refused;

use halo2curves::ff::FromUniformBytes;
use rand_chacha::ChaCha20Rng;

use super::{Error, Evaluations, Proof, Shape, Statement, Witness, prove, verify};
use crate::relation::Relation;
use crate::relation::samples::mixed::{GroupSample, Sample};
use crate::snark::encoding::Reader;
use crate::snark::multilinear::{ProductPolynomial, evaluate};
use crate::snark::testing::{random_scalars, rng};
use crate::snark::transcript::Transcript;

/// A statement that holds, with its witness.
struct Claimed<F> {
    relation: Relation<F>,
    weight: ProductPolynomial<F>,
    sum: F,
    z: Vec<F>,
    errors: Vec<F>,
}

/// Groups of one row, of rows that are a power of two and are not, of one polynomial and of several.
fn sample() -> Sample {
    let group = |rows, polynomials, degree| GroupSample { rows, polynomials, degree };
    Sample {
        publics: 2,
        challenges: 1,
        rounds: 2,
        free: 7,
        groups: vec![group(21, 1, 5), group(8, 3, 2), group(1, 2, 1), group(5, 1, 6)],
    }
}

impl<F: FromUniformBytes<64>> Claimed<F> {
    /// Of a random vector, which need not satisfy anything; with random errors if there are to be any.
    fn random(rng: &mut ChaCha20Rng, sample: &Sample, errors: bool) -> Self {
        let relation = sample.build::<F>(rng);
        let z = random_scalars(rng, relation.layout().len());
        let errors = if errors { random_scalars(rng, relation.numbers()) } else { Vec::new() };
        let shape = if errors.is_empty() { Shape::new(&relation) } else { Shape::with_errors(&relation) };
        let factors = random_scalars(rng, 2 * shape.unwrap().number_variables());
        let weight =
            ProductPolynomial::from_factors(factors.chunks(2).map(|pair| [pair[0], pair[1]]).collect());
        let mut claimed = Self { relation, weight, sum: F::ZERO, z, errors };
        claimed.sum = claimed.by_definition();
        claimed
    }

    /// `Σ_i w(i) (f_i(z) - E(i))`.
    fn by_definition(&self) -> F {
        let values = self.relation.values(&self.z).into_iter().enumerate();
        let error = |index: usize| self.errors.get(index).copied().unwrap_or(F::ZERO);
        let table = self.weight.table();
        values.map(|(index, value)| table[index] * (value - error(index))).sum()
    }

    fn shape(&self) -> Shape<'_, F> {
        if self.errors.is_empty() { Shape::new(&self.relation) } else { Shape::with_errors(&self.relation) }
            .unwrap()
    }

    fn statement(&self) -> Statement<'_, F> {
        let public = &self.z[..self.relation.layout().challenge().end];
        Statement { weight: self.weight.clone(), public, sum: self.sum }
    }

    fn prove(&self) -> (Proof<F>, Evaluations<F>) {
        let witness = Witness { z: &self.z, errors: &self.errors };
        prove(&mut Transcript::new(b"test"), &self.shape(), &self.statement(), &witness).unwrap()
    }

    fn verify(&self, proof: &Proof<F>) -> Result<Evaluations<F>, Error> {
        verify(&mut Transcript::new(b"test"), &self.shape(), &self.statement(), proof)
    }

    /// Whether the proof is accepted, and the committed vectors have the evaluations that it ends in.
    fn accepted(&self, proof: &Proof<F>) -> bool {
        self.verify(proof).is_ok_and(|evaluations| evaluations.values == self.values_at(&evaluations.point))
    }

    /// The values of the rounds and of the errors at a point.
    fn values_at(&self, point: &[F]) -> Vec<F> {
        let layout = self.relation.layout();
        let rounds = (0..layout.rounds.len()).map(|round| evaluate(&self.z[layout.round(round)], point));
        let errors = (!self.errors.is_empty()).then(|| evaluate(&self.errors, point));
        rounds.chain(errors).collect()
    }
}
