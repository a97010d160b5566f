use halo2curves::ff::Field;
use halo2curves::grumpkin::{Fr, G1Affine};

use super::super::Proof;
use super::super::verify::Challenges;
use super::Argument;
use crate::snark::transcript::Transcript;

/// The challenges of a proof in their order, and one drawn after it.
fn challenges(argument: &Argument, proof: &Proof<G1Affine>) -> [Fr; 6] {
    let mut transcript = Transcript::new(b"argument");
    let drawn = Challenges::follow(&argument.key(), &mut transcript, &argument.statement(), proof).unwrap();
    assert_eq!(drawn.combined.factors[0], Fr::ONE);
    let [first, second, third] = drawn.rounds[..] else { panic!("3 rounds") };
    let next = transcript.challenge(b"next");
    [drawn.combined.factors[1], drawn.combined.base, first, second, third, next]
}

#[test]
fn all_that_is_sent_changes_every_challenge_after_it() {
    let honest = Argument::random(1, 8, &[8, 8]);
    let proof = honest.prove().unwrap();
    let before = challenges(&honest, &proof);
    let differ_from = |first: usize, after: [Fr; 6], what: &str| {
        for i in 0..6 {
            assert_eq!(after[i] == before[i], i < first, "challenge {i} for another {what}");
        }
    };
    let of_statement = |change: &dyn Fn(&mut Argument), what: &str| {
        let mut changed = Argument::random(1, 8, &[8, 8]);
        change(&mut changed);
        differ_from(0, challenges(&changed, &proof), what);
    };
    let of_proof = |first: usize, change: &dyn Fn(&mut Proof<G1Affine>), what: &str| {
        let mut changed = proof.clone();
        change(&mut changed);
        differ_from(first, challenges(&honest, &changed), what);
    };
    for i in 0..2 {
        of_statement(&|argument| argument.commitments[i] = G1Affine::default(), "commitment");
        of_statement(&|argument| argument.products[i] += Fr::ONE, "product");
    }
    for i in 0..8 {
        of_statement(&|argument| argument.b[i] += Fr::ONE, "b");
    }
    for i in 0..3 {
        of_proof(2 + i, &|proof| proof.left[i] = G1Affine::default(), "left point");
        of_proof(2 + i, &|proof| proof.right[i] = G1Affine::default(), "right point");
    }
    of_proof(5, &|proof| proof.last += Fr::ONE, "last scalar");
}
