use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use halo2curves::grumpkin;

use super::super::{Claim, Instance, Summand, Table, prove, verify};
use super::Sum;
use crate::snark::multilinear::ProductPolynomial;
use crate::snark::testing::{random_scalars, rng};
use crate::snark::transcript::Transcript;

fn assert_proved(sums: &[Sum]) {
    let instances: Vec<Instance<'_, Fr>> = sums.iter().map(Sum::instance).collect();
    let claims: Vec<Claim<Fr>> = instances.iter().map(|instance| instance.claim().unwrap()).collect();
    let (mut prover, mut verifier) = (Transcript::new(b"sum-check"), Transcript::new(b"sum-check"));
    let proved = prove(&mut prover, instances).unwrap();
    let reduced = verify(&mut verifier, &claims, &proved.proof).unwrap();
    assert_eq!(reduced, proved.reduced);
    let mut values = Vec::new();
    for (sum, inputs) in sums.iter().zip(&proved.inputs) {
        let point = reduced.point_of(sum.table.variables());
        assert_eq!(*inputs, sum.inputs(point));
        values.push(sum.value(point, inputs));
    }
    assert_eq!(reduced.check(&values), Ok(()));
    assert_eq!(prover.challenge::<Fr>(b"next"), verifier.challenge::<Fr>(b"next"));
}

#[test]
fn a_sum_by_definition_is_proved_for_degrees_1_to_6_with_each_kind_of_weight() {
    let rng = &mut rng(1);
    for degree in 1..=6 {
        for variables in [0, 1, 2, 5] {
            let point: Vec<Fr> = random_scalars(rng, variables);
            let weights =
                [None, Some(ProductPolynomial::eq(&point)), Some(ProductPolynomial::powers(&point))];
            for weight in weights {
                assert_proved(&[Sum::random(rng, variables, degree, weight)]);
            }
        }
    }
}

#[test]
fn a_sum_of_many_chunks_of_rows_is_proved() {
    let rng = &mut rng(2);
    for variables in [10, 13] {
        let point: Vec<Fr> = random_scalars(rng, variables);
        assert_proved(&[Sum::random(rng, variables, 3, Some(ProductPolynomial::eq(&point)))]);
        assert_proved(&[Sum::random(rng, variables, 2, None)]);
    }
}

#[test]
fn a_weight_that_vanishes_on_half_of_the_hypercube_is_proved() {
    let rng = &mut rng(3);
    for bits in 0..8_u64 {
        let point: Vec<Fr> = (0..3).map(|j| Fr::from(bits >> j & 1)).collect();
        assert_proved(&[Sum::random(rng, 3, 2, Some(ProductPolynomial::eq(&point)))]);
        assert_proved(&[Sum::random(rng, 3, 2, Some(ProductPolynomial::powers(&point)))]);
    }
}

#[test]
fn sums_of_different_sizes_and_degrees_are_proved_at_once() {
    let rng = &mut rng(4);
    let point: Vec<Fr> = random_scalars(rng, 7);
    let weight = |variables: usize| Some(ProductPolynomial::eq(&point[..variables]));
    let sums = [
        Sum::random(rng, 4, 5, weight(4)),
        Sum::random(rng, 7, 2, None),
        Sum::random(rng, 0, 1, weight(0)),
        Sum::random(rng, 7, 3, Some(ProductPolynomial::powers(&point))),
        Sum::random(rng, 1, 1, None),
    ];
    assert_proved(&sums);
    // The largest need not be the one of the highest degree, nor the first.
    assert_proved(&sums[2..]);
}

#[test]
fn threads_change_nothing() {
    let rng = &mut rng(6);
    let point: Vec<Fr> = random_scalars(rng, 12);
    let sum = Sum::random(rng, 12, 3, Some(ProductPolynomial::eq(&point)));
    let with_threads = |count| {
        let prove = || prove(&mut Transcript::new(b"sum-check"), vec![sum.instance()]);
        rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(prove)
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn the_other_field_is_proved_over_too() {
    struct Product;
    impl Summand<grumpkin::Fr> for Product {
        fn degree(&self) -> usize {
            2
        }
        fn evaluate(&self, inputs: &[grumpkin::Fr], _: &mut [grumpkin::Fr]) -> grumpkin::Fr {
            inputs[0] * inputs[1]
        }
    }
    let values: Vec<grumpkin::Fr> = random_scalars(&mut rng(5), 16);
    let sum = values.chunks(2).map(|row| row[0] * row[1]).sum();
    let table = Table::new(values, 2).unwrap();
    let instance = Instance { sum, weight: None, table, summand: &Product };
    let claim = instance.claim().unwrap();
    assert_eq!(claim, Claim { variables: 3, degree: 2, sum });
    let proved = prove(&mut Transcript::new(b"other"), vec![instance]).unwrap();
    let reduced = verify(&mut Transcript::new(b"other"), &[claim], &proved.proof).unwrap();
    assert_eq!(reduced.check(&[proved.inputs[0][0] * proved.inputs[0][1]]), Ok(()));
    assert_ne!(reduced.value, grumpkin::Fr::ZERO);
}
