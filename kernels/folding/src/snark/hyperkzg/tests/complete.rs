use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::Field;

use super::super::division::{by_linear, by_square};
use super::super::{Proof, prove, verify};
use super::Opening;
use crate::snark::multilinear::evaluate;
use crate::snark::testing::{random_scalars, rng};
use crate::snark::transcript::Transcript;

#[test]
fn a_random_polynomial_of_1_to_10_variables_is_opened() {
    for variables in 1..=10 {
        let opening = Opening::random(variables as u64, variables, &[1 << variables]);
        let proof = opening.prove().unwrap();
        assert_eq!(opening.verify(&proof), Ok(()), "{variables} variables");
        assert_eq!(proof.to_bytes().len(), 33 + 64 * variables);
    }
}

#[test]
fn several_polynomials_of_different_lengths_are_opened_at_once() {
    let opening = Opening::random(1, 5, &[32, 1, 17, 0, 31]);
    assert_eq!(opening.verify(&opening.prove().unwrap()), Ok(()));
}

#[test]
fn points_on_the_hypercube_and_polynomials_that_are_zero_are_opened() {
    for bits in 0..8_u64 {
        let mut opening = Opening::random(2, 3, &[8, 8]);
        opening.point = (0..3).map(|j| Fr::from(bits >> j & 1)).collect();
        opening.polynomials[1] = vec![Fr::ZERO; 8];
        opening.commitments[1] = G1Affine::default();
        opening.evaluations = opening.polynomials.iter().map(|p| evaluate(p, &opening.point)).collect();
        assert_eq!(opening.verify(&opening.prove().unwrap()), Ok(()));
    }
    let mut zero = Opening::random(3, 3, &[8]);
    zero.polynomials[0] = vec![Fr::ZERO; 8];
    zero.commitments[0] = G1Affine::default();
    zero.evaluations[0] = Fr::ZERO;
    assert_eq!(zero.verify(&zero.prove().unwrap()), Ok(()));
}

#[test]
fn prover_and_verifier_leave_the_same_transcript() {
    let opening = Opening::random(4, 4, &[16]);
    let (mut prover, mut verifier) = (Transcript::new(b"opening"), Transcript::new(b"opening"));
    let proof =
        prove(&opening.powers, &mut prover, &opening.statement(), &[&opening.polynomials[0]]).unwrap();
    verify(&opening.key, &mut verifier, &opening.statement(), &proof).unwrap();
    assert_eq!(prover.challenge::<Fr>(b"next"), verifier.challenge::<Fr>(b"next"));
}

#[test]
fn threads_change_nothing() {
    let opening = Opening::random(7, 13, &[1 << 13, 5000]);
    let with_threads = |count| {
        rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(|| opening.prove())
    };
    let proof = with_threads(1);
    assert_eq!(proof, with_threads(3));
    assert_eq!(opening.verify(&proof.unwrap()), Ok(()));
}

#[test]
fn a_proof_reads_back() {
    let proof = Opening::random(5, 4, &[16]).prove().unwrap();
    assert_eq!(Proof::from_bytes(&proof.to_bytes()), Ok(proof));
}

#[test]
fn a_quotient_times_its_divisor_is_what_was_divided() {
    let rng = &mut rng(6);
    for length in 0..10 {
        let f: Vec<Fr> = random_scalars(rng, length);
        let [s, at] = [Fr::random(&mut *rng), Fr::random(&mut *rng)];
        let value = |f: &[Fr], x: Fr| f.iter().rev().fold(Fr::ZERO, |value, c| value * x + c);
        let (quotient, [even, odd]) = by_square(&f, &s);
        assert_eq!(quotient.len(), length.saturating_sub(2));
        assert_eq!(value(&quotient, at) * (at.square() - s) + even + odd * at, value(&f, at));
        let quotient = by_linear(&f, &s);
        assert_eq!(quotient.len(), length.saturating_sub(1));
        assert_eq!(value(&quotient, at) * (at - s) + value(&f, s), value(&f, at));
    }
}
