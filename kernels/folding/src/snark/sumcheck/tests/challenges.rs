use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::{Claim, Proof, verify};
use crate::snark::testing::{random_scalars, rng};
use crate::snark::transcript::Transcript;

/// The challenges of a proof in their order, and one drawn after it.
fn challenges(claims: &[Claim<Fr>], proof: &Proof<Fr>) -> [Fr; 5] {
    let mut transcript = Transcript::new(b"sum-check");
    let reduced = verify(&mut transcript, claims, proof).unwrap();
    assert_eq!(reduced.coefficients[0], Fr::ONE);
    assert_eq!(reduced.coefficients[2], reduced.coefficients[1].square());
    let [first, second, third] = reduced.point[..] else { panic!("3 rounds") };
    [reduced.coefficients[1], first, second, third, transcript.challenge(b"next")]
}

#[test]
fn all_that_is_sent_changes_every_challenge_after_it() {
    let claim = |variables, sum| Claim { variables, degree: 2, sum: Fr::from(sum) };
    let claims = [claim(3, 5), claim(1, 6), claim(2, 7)];
    let proof = Proof { degree: 2, coefficients: random_scalars(&mut rng(1), 6) };
    let before = challenges(&claims, &proof);
    let differ_from = |first: usize, after: [Fr; 5], what: &str| {
        for i in 0..5 {
            assert_eq!(after[i] == before[i], i < first, "challenge {i} for another {what}");
        }
    };
    for i in 0..3 {
        let mut changed = claims;
        changed[i].sum += Fr::ONE;
        differ_from(0, challenges(&changed, &proof), "sum");
    }
    for i in 1..3 {
        let mut changed = claims;
        changed[i].variables -= 1;
        differ_from(0, challenges(&changed, &proof), "number of variables");
        changed = claims;
        changed[i].degree -= 1;
        differ_from(0, challenges(&changed, &proof), "degree");
    }
    for i in 0..6 {
        let mut changed = proof.clone();
        changed.coefficients[i] += Fr::ONE;
        differ_from(1 + i / 2, challenges(&claims, &changed), "coefficient");
    }
}
