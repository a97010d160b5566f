use halo2curves::ff::Field;
use halo2curves::group::Curve;
use halo2curves::grumpkin::{Fr, G1Affine};

use super::super::{Error, Proof, ROUNDS_MAX, Statement, prove, verify};
use super::Argument;
use crate::snark::encoding;
use crate::snark::testing::{
    assert_no_flip_is_accepted, assert_only_complete_bytes_are_read, off_curve, random_scalars, rng,
};
use crate::snark::transcript::Transcript;

fn argument() -> Argument {
    Argument::random(1, 8, &[8, 8])
}

#[test]
fn a_wrong_product_is_refused() {
    let proof = argument().prove().unwrap();
    for i in 0..2 {
        let mut wrong = argument();
        wrong.products[i] += Fr::ONE;
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
        // Nor does a prover get it through that follows its own transcript.
        assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
    }
    let mut cancelling = argument();
    cancelling.products[0] += Fr::ONE;
    cancelling.products[1] -= Fr::ONE;
    assert_eq!(cancelling.verify(&cancelling.prove().unwrap()), Err(Error::Refused));
}

#[test]
fn a_commitment_that_contains_some_of_the_base_is_refused() {
    // Were the base not multiplied by a challenge, this would pass for a product that is larger by 5.
    let mut wrong = argument();
    wrong.commitments[0] = (wrong.commitments[0] - (wrong.base * Fr::from(5)).to_affine()).to_affine();
    wrong.products[0] += Fr::from(5);
    assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
}

#[test]
fn a_wrong_b_is_refused() {
    let proof = argument().prove().unwrap();
    for i in 0..8 {
        let mut wrong = argument();
        wrong.b[i] += Fr::ONE;
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
        assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
    }
}

#[test]
fn a_wrong_identity_or_swapped_commitment_is_refused() {
    let proof = argument().prove().unwrap();
    for (i, commitment) in [(0, G1Affine::default()), (1, G1Affine::default()), (0, G1Affine::generator())] {
        let mut wrong = argument();
        wrong.commitments[i] = commitment;
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
        assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
    }
    let mut swapped = argument();
    swapped.commitments.swap(0, 1);
    assert_eq!(swapped.verify(&swapped.prove().unwrap()), Err(Error::Refused));
}

#[test]
fn a_wrong_key_is_refused() {
    let proof = argument().prove().unwrap();
    for i in 0..8 {
        let mut wrong = argument();
        wrong.generators[i] = G1Affine::generator();
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
    }
    let mut wrong = argument();
    wrong.base = G1Affine::generator();
    assert_eq!(wrong.verify(&proof), Err(Error::Refused));
}

#[test]
fn another_transcript_is_refused() {
    let honest = argument();
    let proof = honest.prove().unwrap();
    let verified = verify(&honest.key(), &mut Transcript::new(b"other"), &honest.statement(), &proof);
    assert_eq!(verified, Err(Error::Refused));
}

#[test]
fn each_changed_part_of_a_proof_is_refused() {
    let honest = argument();
    let proof = honest.prove().unwrap();
    let refused = |change: &dyn Fn(&mut Proof<G1Affine>)| {
        let mut changed = proof.clone();
        change(&mut changed);
        assert_eq!(honest.verify(&changed), Err(Error::Refused));
    };
    for i in 0..3 {
        for point in [G1Affine::default(), G1Affine::generator()] {
            refused(&|proof| proof.left[i] = point);
            refused(&|proof| proof.right[i] = point);
        }
        refused(&|proof| core::mem::swap(&mut proof.left[i], &mut proof.right[i]));
    }
    refused(&|proof| core::mem::swap(&mut proof.left, &mut proof.right));
    refused(&|proof| proof.left.swap(0, 1));
    refused(&|proof| proof.right.swap(1, 2));
    refused(&|proof| proof.last += Fr::ONE);
    refused(&|proof| proof.last = Fr::ZERO);
}

#[test]
fn an_extra_or_a_missing_round_is_refused() {
    let honest = argument();
    let proof = honest.prove().unwrap();
    let length = |left, right| Err(Error::ProofLength { left, right, rounds: 3 });
    let mut changed = proof.clone();
    changed.left.pop();
    assert_eq!(honest.verify(&changed), length(2, 3));
    changed.right.pop();
    assert_eq!(honest.verify(&changed), length(2, 2));
    changed = proof.clone();
    changed.right.push(G1Affine::default());
    assert_eq!(honest.verify(&changed), length(3, 4));
    changed.left.push(G1Affine::default());
    assert_eq!(honest.verify(&changed), length(4, 4));
}

#[test]
fn refuses_a_point_off_the_curve_at_every_place() {
    let honest = argument();
    let proof = honest.prove().unwrap();
    for i in 0..2 {
        let mut statement = argument();
        statement.commitments[i] = off_curve();
        assert_eq!(statement.verify(&proof), Err(Error::OffCurve));
        assert_eq!(statement.prove(), Err(Error::OffCurve));
    }
    for i in 0..3 {
        let mut changed = proof.clone();
        changed.left[i] = off_curve();
        assert_eq!(honest.verify(&changed), Err(Error::OffCurve));
        changed = proof.clone();
        changed.right[i] = off_curve();
        assert_eq!(honest.verify(&changed), Err(Error::OffCurve));
    }
}

#[test]
fn no_flipped_bit_of_a_proof_is_accepted() {
    let honest = Argument::random(2, 4, &[4]);
    let bytes = honest.prove().unwrap().to_bytes();
    assert_no_flip_is_accepted(&bytes, Proof::from_bytes, |proof| honest.verify(proof).is_ok());
}

#[test]
fn proofs_that_are_cut_long_or_huge_are_refused() {
    use encoding::Error;
    let bytes = argument().prove().unwrap().to_bytes();
    assert_only_complete_bytes_are_read(&bytes, Proof::<G1Affine>::from_bytes);
    let error = Error::Length { found: 25, least: 0, most: ROUNDS_MAX };
    assert_eq!(Proof::<G1Affine>::from_bytes(&[25]), Err(error));
}

#[test]
fn statements_out_of_shape_are_refused_by_prover_and_verifier() {
    let honest = argument();
    let proof = honest.prove().unwrap();
    let both = |statement: Statement<'_, G1Affine>, error: Error| {
        let vectors = vec![&honest.vectors[0][..]; statement.commitments.len()];
        let transcript = || Transcript::new(b"argument");
        assert_eq!(prove(&honest.key(), &mut transcript(), &statement, &vectors), Err(error));
        assert_eq!(verify(&honest.key(), &mut transcript(), &statement, &proof), Err(error));
    };
    let statement = honest.statement();
    let length = |found| Error::Length { found, rounds_most: ROUNDS_MAX };
    both(Statement { b: &[], ..statement }, length(0));
    both(Statement { b: &honest.b[..7], ..statement }, length(7));
    both(Statement { b: &[Fr::ONE; 16], ..statement }, Error::KeyLength { found: 8, needed: 16 });
    let claims = |commitments, found| Error::Claims { commitments, found };
    both(Statement { commitments: &[], products: &[], ..statement }, claims(0, 0));
    both(Statement { products: &honest.products[..1], ..statement }, claims(2, 1));
    both(Statement { commitments: &honest.commitments[..1], ..statement }, claims(1, 2));
}

#[test]
fn reports_to_the_prover_what_does_not_fit() {
    let mut long = argument();
    long.vectors[1] = random_scalars(&mut rng(3), 9);
    assert_eq!(long.prove(), Err(Error::VectorLength { found: 9, most: 8 }));
    let mut missing = argument();
    missing.vectors.pop();
    assert_eq!(missing.prove(), Err(Error::Claims { commitments: 2, found: 1 }));
}
