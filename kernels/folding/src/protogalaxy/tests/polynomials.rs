use halo2curves::ff::Field as _;
use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};

use super::super::domain::Domain;
use super::super::weights::{Weights, betas_for};
use super::super::{combiner, perturbator};
use crate::polynomial::{evaluate, interpolate, lagrange_at};
use crate::relation::samples::{F, shape};

/// `pow_i(β)`, bit by bit.
fn weight(index: usize, betas: &[F]) -> F {
    betas.iter().enumerate().filter(|(bit, _)| index >> bit & 1 == 1).map(|(_, beta)| *beta).product()
}

fn random(rng: &mut ChaCha20Rng, count: usize) -> Vec<F> {
    (0..count).map(|_| F::random(&mut *rng)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_perturbator_is_the_sum_that_defines_it(seed: u64, count in 1_usize..3000) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let t = betas_for(count);
        let (values, betas) = (random(&mut rng, count), random(&mut rng, t));
        let deltas = perturbator::squarings(F::random(&mut rng), t);
        let coefficients = perturbator::coefficients(&values, &betas, &deltas);
        prop_assert_eq!(coefficients.len(), t + 1);
        let x = F::random(&mut rng);
        let moved: Vec<_> = betas.iter().zip(&deltas).map(|(beta, delta)| *beta + *delta * x).collect();
        let naive: F = values.iter().enumerate().map(|(index, value)| weight(index, &moved) * value).sum();
        prop_assert_eq!(evaluate(&coefficients, x), naive);
    }

    #[test]
    fn the_combiner_is_what_its_quotient_says(seed: u64, incoming in 1_usize..4, rows in 1_usize..70, degree in 1_usize..7) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let shape = shape(&mut rng, &[degree, 1, 2], rows);
        let relation = &shape.relation;
        let mut vectors: Vec<_> = (0..=incoming).map(|_| {
            let public = F::random(&mut rng);
            shape.assign(&mut rng, public)
        }).collect();
        // The accumulator's vector satisfies nothing.
        vectors[0][1..].iter_mut().for_each(|value| *value = F::random(&mut rng));
        let vectors: Vec<&[F]> = vectors.iter().map(Vec::as_slice).collect();
        let betas = random(&mut rng, betas_for(relation.numbers()));
        let values = relation.values(vectors[0]);
        let quotient = combiner::quotient(relation, &vectors, &values, &Weights::new(&betas));
        let domain = Domain::new(incoming);
        prop_assert_eq!(quotient.len(), domain.quotient_len(relation.degree()));

        let x = F::random(&mut rng);
        let basis = domain.lagrange(x);
        let folded: Vec<F> = (0..vectors[0].len())
            .map(|index| basis.iter().zip(&vectors).map(|(basis, vector)| *basis * vector[index]).sum())
            .collect();
        let claim = |values: &[F]| values.iter().enumerate().map(|(index, value)| weight(index, &betas) * value).sum::<F>();
        let expected = claim(&values) * basis[0] + domain.vanishing(x) * evaluate(&quotient, x);
        prop_assert_eq!(claim(&relation.values(&folded)), expected);
    }

    #[test]
    fn weights_are_products_of_betas(seed: u64, t in 0_usize..9) {
        let betas = random(&mut ChaCha20Rng::seed_from_u64(seed), t);
        let weights = Weights::new(&betas);
        for index in 0..1 << t {
            prop_assert_eq!(weights.get(index), weight(index, &betas));
        }
    }

    #[test]
    fn interpolation_gives_back_coefficients(seed: u64, count in 1_usize..9, first in 0_usize..5) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let coefficients = random(&mut rng, count);
        let values: Vec<_> = (first..first + count).map(|x| evaluate(&coefficients, F::from(x as u64))).collect();
        prop_assert_eq!(interpolate(first, &values), coefficients);
    }
}

#[test]
fn lagrange_polynomials_are_one_at_their_point_and_sum_to_one() {
    for point in 0..4_u64 {
        let basis = lagrange_at::<F>(4, F::from(point));
        let expected: Vec<_> = (0..4).map(|own| F::from(u64::from(own == point))).collect();
        assert_eq!(basis, expected);
    }
    assert_eq!(lagrange_at::<F>(5, F::from(77)).into_iter().sum::<F>(), F::ONE);
}

#[test]
fn as_many_betas_as_bits_number_the_constraints() {
    assert_eq!([1, 2, 3, 4, 5, 1024, 1025].map(betas_for), [0, 1, 2, 2, 3, 10, 11]);
}
