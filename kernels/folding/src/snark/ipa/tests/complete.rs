use halo2curves::bn256;
use halo2curves::ff::Field;
use halo2curves::group::Curve;
use halo2curves::grumpkin::{Fr, G1Affine};
use halo2curves::msm::msm_best;

use super::super::fold_key::fold_key;
use super::super::{Key, Proof, Statement, prove, verify};
use super::Argument;
use crate::snark::multilinear::{ProductPolynomial, evaluate};
use crate::snark::testing::{random_points, random_scalars, rng};
use crate::snark::transcript::Transcript;

#[test]
fn the_inner_product_of_a_random_vector_of_1_to_1024_elements_is_proved() {
    for rounds in 0..=10 {
        let argument = Argument::random(rounds as u64, 1 << rounds, &[1 << rounds]);
        let proof = argument.prove().unwrap();
        assert_eq!(argument.verify(&proof), Ok(()), "{rounds} rounds");
        assert_eq!(proof.to_bytes().len(), 33 + 64 * rounds);
    }
}

#[test]
fn several_vectors_of_different_lengths_are_proved_at_once() {
    let argument = Argument::random(1, 16, &[16, 3, 0, 9]);
    assert_eq!(argument.verify(&argument.prove().unwrap()), Ok(()));
}

#[test]
fn vectors_of_zeros_and_a_longer_key_are_proved() {
    let mut argument = Argument::random(2, 8, &[8]);
    argument.vectors[0] = vec![Fr::ZERO; 8];
    argument.commitments[0] = G1Affine::default();
    argument.products[0] = Fr::ZERO;
    argument.generators.extend(random_points::<G1Affine>(&mut rng(3), 3));
    assert_eq!(argument.verify(&argument.prove().unwrap()), Ok(()));
}

#[test]
fn a_multilinear_polynomial_is_opened_with_the_values_of_eq() {
    let rng = &mut rng(4);
    let point: Vec<Fr> = random_scalars(rng, 5);
    let mut argument = Argument::random(4, 32, &[32]);
    argument.b = ProductPolynomial::eq(&point).table();
    argument.products[0] = evaluate(&argument.vectors[0], &point);
    assert_eq!(argument.verify(&argument.prove().unwrap()), Ok(()));
}

#[test]
fn prover_and_verifier_leave_the_same_transcript() {
    let argument = Argument::random(5, 8, &[8]);
    let (mut prover, mut verifier) = (Transcript::new(b"argument"), Transcript::new(b"argument"));
    let proof = prove(&argument.key(), &mut prover, &argument.statement(), &[&argument.vectors[0]]).unwrap();
    verify(&argument.key(), &mut verifier, &argument.statement(), &proof).unwrap();
    assert_eq!(prover.challenge::<Fr>(b"next"), verifier.challenge::<Fr>(b"next"));
}

#[test]
fn the_other_curve_is_proved_over_too() {
    let rng = &mut rng(6);
    let points: Vec<bn256::G1Affine> = random_points(rng, 9);
    let [a, b]: [Vec<bn256::Fr>; 2] = [random_scalars(rng, 8), random_scalars(rng, 8)];
    let key = Key { generators: &points[..8], base: points[8] };
    let commitments = [msm_best(&a, key.generators).to_affine()];
    let products = [a.iter().zip(&b).map(|(a, b)| a * b).sum()];
    let statement = Statement { commitments: &commitments, b: &b, products: &products };
    let proof = prove(&key, &mut Transcript::new(b"other"), &statement, &[&a]).unwrap();
    assert_eq!(verify(&key, &mut Transcript::new(b"other"), &statement, &proof), Ok(()));
}

#[test]
fn a_proof_reads_back() {
    let proof = Argument::random(7, 16, &[16]).prove().unwrap();
    assert_eq!(Proof::from_bytes(&proof.to_bytes()), Ok(proof));
}

#[test]
fn a_folded_key_is_each_low_point_and_a_multiple_of_the_high_one() {
    let rng = &mut rng(8);
    let mut key: Vec<G1Affine> = random_points(rng, 2 * 70);
    // Equal, opposite and identity points are no exceptions.
    key[1] = key[71];
    key[2] = -key[72];
    key[3] = G1Affine::default();
    key[74] = G1Affine::default();
    let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(3), Fr::from(0x5555_5555), -Fr::from(2)];
    for x in edges.into_iter().chain(random_scalars(rng, 3)) {
        let expected: Vec<G1Affine> =
            (0..70).map(|i| (key[i] + (key[70 + i] * x).to_affine()).to_affine()).collect();
        assert_eq!(fold_key(&key, &x), expected);
    }
}
