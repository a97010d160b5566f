use halo2curves::bn256::{Fr, G1Affine, G2Affine};
use halo2curves::ff::Field;
use halo2curves::group::Curve;

use super::super::{Error, Proof, Statement, VARIABLES_MAX, prove, verify};
use super::Opening;
use crate::snark::encoding;
use crate::snark::testing::{
    assert_no_flip_is_accepted, assert_only_complete_bytes_are_read, off_curve, random_scalars, rng,
};
use crate::snark::transcript::Transcript;

fn opening() -> Opening {
    Opening::random(1, 3, &[8, 8])
}

#[test]
fn a_wrong_evaluation_is_refused() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    for i in 0..2 {
        let mut wrong = opening();
        wrong.evaluations[i] += Fr::ONE;
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
        // Nor does a prover get it through that follows its own transcript.
        assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
    }
    let mut cancelling = opening();
    cancelling.evaluations[0] += Fr::ONE;
    cancelling.evaluations[1] -= Fr::ONE;
    assert_eq!(cancelling.verify(&cancelling.prove().unwrap()), Err(Error::Refused));
}

#[test]
fn a_wrong_point_is_refused() {
    let proof = opening().prove().unwrap();
    for i in 0..3 {
        let mut wrong = opening();
        wrong.point[i] += Fr::ONE;
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
        assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
    }
    let mut reversed = opening();
    reversed.point.reverse();
    assert_eq!(reversed.verify(&reversed.prove().unwrap()), Err(Error::Refused));
}

#[test]
fn a_wrong_identity_or_swapped_commitment_is_refused() {
    let proof = opening().prove().unwrap();
    for (i, commitment) in [(0, G1Affine::default()), (1, G1Affine::default()), (0, G1Affine::generator())] {
        let mut wrong = opening();
        wrong.commitments[i] = commitment;
        assert_eq!(wrong.verify(&proof), Err(Error::Refused));
        assert_eq!(wrong.verify(&wrong.prove().unwrap()), Err(Error::Refused));
    }
    let mut swapped = opening();
    swapped.commitments.swap(0, 1);
    assert_eq!(swapped.verify(&swapped.prove().unwrap()), Err(Error::Refused));
}

#[test]
fn a_wrong_key_is_refused() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    let other = (G2Affine::generator() * Fr::from(7)).to_affine();
    let mut wrong = opening();
    wrong.key.tau_g2 = other;
    assert_eq!(wrong.verify(&proof), Err(Error::Refused));
    wrong.key = honest.key;
    wrong.key.g2 = other;
    assert_eq!(wrong.verify(&proof), Err(Error::Refused));
    wrong.key = honest.key;
    wrong.key.g1 = (G1Affine::generator() * Fr::from(7)).to_affine();
    assert_eq!(wrong.verify(&proof), Err(Error::Refused));
}

#[test]
fn another_transcript_is_refused() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    let verified = verify(&honest.key, &mut Transcript::new(b"other"), &honest.statement(), &proof);
    assert_eq!(verified, Err(Error::Refused));
}

#[test]
fn each_changed_part_of_a_proof_is_refused() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    let refused = |change: &dyn Fn(&mut Proof)| {
        let mut changed = proof.clone();
        change(&mut changed);
        assert_eq!(honest.verify(&changed), Err(Error::Refused));
    };
    for point in [G1Affine::default(), G1Affine::generator()] {
        refused(&|proof| proof.folds[0] = point);
        refused(&|proof| proof.folds[1] = point);
        refused(&|proof| proof.quotient = point);
        refused(&|proof| proof.witness = point);
    }
    for i in 0..3 {
        refused(&|proof| proof.differences[i] += Fr::ONE);
    }
    refused(&|proof| proof.folds.swap(0, 1));
    refused(&|proof| proof.differences.swap(0, 1));
    refused(&|proof| core::mem::swap(&mut proof.quotient, &mut proof.witness));
}

#[test]
fn a_proof_of_more_or_fewer_folds_is_refused() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    let length = |folds, differences| Err(Error::ProofLength { folds, differences, variables: 3 });
    let mut changed = proof.clone();
    changed.folds.pop();
    assert_eq!(honest.verify(&changed), length(1, 3));
    changed.differences.pop();
    assert_eq!(honest.verify(&changed), length(1, 2));
    changed = proof.clone();
    changed.differences.push(Fr::ZERO);
    assert_eq!(honest.verify(&changed), length(2, 4));
    changed.folds.push(G1Affine::default());
    assert_eq!(honest.verify(&changed), length(3, 4));
    changed.folds.clear();
    changed.differences.clear();
    assert_eq!(honest.verify(&changed), length(0, 0));
}

#[test]
fn refuses_a_point_off_the_curve_at_every_place() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    for i in 0..2 {
        let mut statement = opening();
        statement.commitments[i] = off_curve();
        assert_eq!(statement.verify(&proof), Err(Error::OffCurve));
        assert_eq!(statement.prove(), Err(Error::OffCurve));
        let mut changed = proof.clone();
        changed.folds[i] = off_curve();
        assert_eq!(honest.verify(&changed), Err(Error::OffCurve));
    }
    let mut changed = proof.clone();
    changed.quotient = off_curve();
    assert_eq!(honest.verify(&changed), Err(Error::OffCurve));
    changed = proof.clone();
    changed.witness = off_curve();
    assert_eq!(honest.verify(&changed), Err(Error::OffCurve));
}

#[test]
fn no_flipped_bit_of_a_proof_is_accepted() {
    let honest = Opening::random(2, 2, &[4]);
    let bytes = honest.prove().unwrap().to_bytes();
    assert_no_flip_is_accepted(&bytes, Proof::from_bytes, |proof| honest.verify(proof).is_ok());
}

#[test]
fn proofs_that_are_cut_long_or_huge_are_refused() {
    use encoding::Error;
    let bytes = opening().prove().unwrap().to_bytes();
    assert_only_complete_bytes_are_read(&bytes, Proof::from_bytes);
    for found in [0, VARIABLES_MAX + 1] {
        let error = Error::Length { found, least: 1, most: VARIABLES_MAX };
        assert_eq!(Proof::from_bytes(&[u8::try_from(found).unwrap()]), Err(error));
    }
}

#[test]
fn statements_out_of_shape_are_refused_by_prover_and_verifier() {
    let honest = opening();
    let proof = honest.prove().unwrap();
    let both = |statement: Statement<'_>, error: Error| {
        let polynomials = vec![&honest.polynomials[0][..]; statement.commitments.len()];
        let transcript = || Transcript::new(b"opening");
        assert_eq!(prove(&honest.powers, &mut transcript(), &statement, &polynomials), Err(error));
        assert_eq!(verify(&honest.key, &mut transcript(), &statement, &proof), Err(error));
    };
    let statement = honest.statement();
    let variables = |found| Error::Variables { found, most: VARIABLES_MAX };
    both(Statement { point: &[], ..statement }, variables(0));
    both(Statement { point: &[Fr::ONE; 33], ..statement }, variables(33));
    let claims = |commitments, found| Error::Claims { commitments, found };
    both(Statement { commitments: &[], evaluations: &[], ..statement }, claims(0, 0));
    both(Statement { evaluations: &honest.evaluations[..1], ..statement }, claims(2, 1));
    both(Statement { commitments: &honest.commitments[..1], ..statement }, claims(1, 2));
}

#[test]
fn reports_to_the_prover_what_does_not_fit() {
    let mut short_key = opening();
    short_key.powers.pop();
    assert_eq!(short_key.prove(), Err(Error::KeyLength { found: 7, needed: 8 }));
    let mut long = opening();
    long.polynomials[1] = random_scalars(&mut rng(3), 9);
    assert_eq!(long.prove(), Err(Error::PolynomialLength { values: 9, most: 8 }));
    let mut missing = opening();
    missing.polynomials.pop();
    assert_eq!(missing.prove(), Err(Error::Claims { commitments: 2, found: 1 }));
}

#[test]
fn a_commitment_to_more_values_than_the_point_takes_is_refused() {
    let mut long = Opening::random(4, 4, &[16]);
    // The first 8 values, honestly opened, of a commitment to 16.
    long.point.remove(0);
    long.polynomials[0].truncate(8);
    long.evaluations[0] = crate::snark::multilinear::evaluate(&long.polynomials[0], &long.point);
    assert_eq!(long.verify(&long.prove().unwrap()), Err(Error::Refused));
}
