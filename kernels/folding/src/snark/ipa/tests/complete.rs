use halo2curves::bn256;
use halo2curves::ff::Field;
use halo2curves::group::{Curve, Group};
use halo2curves::grumpkin::{Fr, G1, G1Affine};
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
fn a_long_vector_of_which_the_second_half_is_zeros_is_proved() {
    // Its first right point is the identity, among more points than the curve library sums one by one.
    let mut argument = Argument::random(9, 1 << 13, &[1 << 12, 0]);
    argument.vectors[1] = vec![Fr::ZERO; 1 << 13];
    let proof = argument.prove().unwrap();
    assert_eq!((proof.right[0], argument.commitments[1]), (G1Affine::default(), G1Affine::default()));
    assert_eq!(argument.verify(&proof), Ok(()));
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
fn a_folded_key_is_the_weighted_sum_of_its_blocks() {
    let rng = &mut rng(8);
    let mut key: Vec<G1Affine> = random_points(rng, 4 * 70);
    // Equal, opposite and identity points are no exceptions.
    key[1] = key[71];
    key[2] = -key[72];
    key[3] = G1Affine::default();
    key[74] = G1Affine::default();
    let [x, y, z] = [random_scalars(rng, 1)[0], random_scalars(rng, 1)[0], random_scalars(rng, 1)[0]];
    let edges = [Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(3), Fr::from(0x5555_5555), -Fr::from(2)];
    let mut all_weights: Vec<Vec<Fr>> = edges.iter().map(|edge| vec![Fr::ONE, *edge]).collect();
    all_weights.extend([
        vec![Fr::ONE],
        vec![Fr::ONE, x],
        vec![Fr::ONE, x, y, z],
        vec![Fr::ONE, Fr::ONE, x, x],
    ]);
    all_weights.push(vec![Fr::ONE, y, Fr::ZERO, -y]);
    for weights in all_weights {
        let key = &key[..70 * weights.len()];
        let expected: Vec<G1Affine> = (0..70)
            .map(|i| {
                let terms = weights.iter().zip(key.iter().skip(i).step_by(70));
                terms.fold(G1::identity(), |sum, (weight, point)| sum + *point * weight).to_affine()
            })
            .collect();
        assert_eq!(fold_key(key, &weights), expected);
    }
}

#[test]
fn threads_change_nothing() {
    let argument = Argument::random(10, 1 << 7, &[1 << 7]);
    let with_threads = |count| {
        rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(|| argument.prove())
    };
    assert_eq!(with_threads(1), with_threads(3));
}
