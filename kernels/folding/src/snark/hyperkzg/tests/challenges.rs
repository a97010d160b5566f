use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::Field;

use super::super::Proof;
use super::super::verify::Challenges;
use super::Opening;
use crate::snark::transcript::Transcript;

/// The challenges of a proof in their order, and one drawn after it.
fn challenges(opening: &Opening, proof: &Proof) -> [Fr; 5] {
    let mut transcript = Transcript::new(b"opening");
    let drawn = Challenges::follow(&mut transcript, &opening.statement(), proof).unwrap();
    assert_eq!(drawn.factors[0], Fr::ONE);
    [drawn.factors[1], drawn.fold_point, drawn.batch, drawn.batch_point, transcript.challenge(b"next")]
}

#[test]
fn all_that_is_sent_changes_every_challenge_after_it() {
    let honest = Opening::random(1, 3, &[8, 8]);
    let proof = honest.prove().unwrap();
    let before = challenges(&honest, &proof);
    let differ_from = |first: usize, after: [Fr; 5], what: &str| {
        for i in 0..5 {
            assert_eq!(after[i] == before[i], i < first, "challenge {i} for another {what}");
        }
    };
    let of_statement = |change: &dyn Fn(&mut Opening), what: &str| {
        let mut changed = Opening::random(1, 3, &[8, 8]);
        change(&mut changed);
        differ_from(0, challenges(&changed, &proof), what);
    };
    let of_proof = |first: usize, change: &dyn Fn(&mut Proof), what: &str| {
        let mut changed = proof.clone();
        change(&mut changed);
        differ_from(first, challenges(&honest, &changed), what);
    };
    for i in 0..2 {
        of_statement(&|opening| opening.commitments[i] = G1Affine::default(), "commitment");
        of_statement(&|opening| opening.evaluations[i] += Fr::ONE, "evaluation");
        of_proof(1, &|proof| proof.folds[i] = G1Affine::default(), "fold");
    }
    for i in 0..3 {
        of_statement(&|opening| opening.point[i] += Fr::ONE, "point");
        of_proof(2, &|proof| proof.differences[i] += Fr::ONE, "difference");
    }
    of_proof(3, &|proof| proof.quotient = G1Affine::default(), "quotient");
    of_proof(4, &|proof| proof.witness = G1Affine::default(), "witness");
}

#[test]
fn a_single_claim_is_taken_as_it_is() {
    let opening = Opening::random(2, 2, &[4]);
    let factors = opening.statement().combine(&mut Transcript::new(b"opening")).unwrap();
    assert_eq!(factors, [Fr::ONE]);
}
