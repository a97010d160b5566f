use super::*;
use crate::snark::{ipa, spartan, sumcheck};

fn claimed() -> Claimed {
    Claimed::random(&mut rng(1), 2)
}

const SUM: spartan::Error = spartan::Error::Rows(sumcheck::Error::Refused);

#[test]
fn an_error_that_is_not_the_sum_is_refused() {
    let mut claimed = claimed();
    claimed.primary.error += Fr::ONE;
    assert_eq!(claimed.verify(&claimed.prove()), Err(Error::Primary(SUM)));
}

#[test]
fn a_primary_vector_other_than_the_committed_one_is_refused() {
    let mut claimed = claimed();
    let layout = claimed.key.primary.layout().clone();
    for round in 0..2 {
        // The sum is that of the vector; its commitment is to another.
        let entry = layout.round(round).start;
        claimed.primary_vector[entry] += Fr::ONE;
        claimed.primary.error = sum(&claimed.primary, &claimed.key.primary, &claimed.primary_vector);
        let refused = claimed.verify(&claimed.prove());
        assert_eq!(refused, Err(Error::PrimaryOpening(hyperkzg::Error::Refused)), "round {round}");
        claimed.primary_vector[entry] -= Fr::ONE;
    }
}

#[test]
fn each_constraint_has_its_own_error() {
    let mut claimed = claimed();
    let mut gaps = 0;
    for number in 0..claimed.secondary_witness.error.len() {
        // Also for numbers of no constraint, whose errors are 0.
        gaps += usize::from(claimed.secondary_witness.error[number] == grumpkin::Fr::ZERO);
        claimed.secondary_witness.error[number] += grumpkin::Fr::ONE;
        claimed.secondary.error = claimed.generators.commit(&claimed.secondary_witness.error).unwrap();
        assert_eq!(claimed.verify(&claimed.prove()), Err(Error::Secondary(SUM)), "number {number}");
        claimed.secondary_witness.error[number] -= grumpkin::Fr::ONE;
    }
    assert!(gaps > 0);
}

#[test]
fn errors_that_cancel_are_refused() {
    let mut claimed = claimed();
    claimed.secondary_witness.error[0] += grumpkin::Fr::ONE;
    claimed.secondary_witness.error[1] -= grumpkin::Fr::ONE;
    claimed.secondary.error = claimed.generators.commit(&claimed.secondary_witness.error).unwrap();
    assert_eq!(claimed.verify(&claimed.prove()), Err(Error::Secondary(SUM)));
}

#[test]
fn secondary_vectors_other_than_the_committed_ones_are_refused() {
    let refusal = Err(Error::SecondaryOpening(ipa::Error::Refused));
    let mut claimed = claimed();
    let relaxed = Arc::clone(&claimed.key.secondary);
    let layout = relaxed.relation().layout();
    for round in 0..2 {
        // The errors are those of the vector; its commitment is to another.
        let honest = claimed.secondary_witness.clone();
        claimed.secondary_witness.vector[layout.round(round).start] += grumpkin::Fr::ONE;
        claimed.secondary_witness.error = relaxed.relation().values(&claimed.secondary_witness.vector);
        claimed.secondary.error = claimed.generators.commit(&claimed.secondary_witness.error).unwrap();
        assert_eq!(claimed.verify(&claimed.prove()), refusal, "round {round}");
        claimed.secondary_witness = honest;
    }
    let proof = {
        claimed.secondary.error = claimed.generators.points()[3];
        claimed.prove()
    };
    assert_eq!(claimed.verify(&proof), refusal);
}

/// Ways to change an accumulator.
type Change = fn(&mut Claimed, usize);

const CHANGES: [(&str, usize, Change); 10] = [
    ("primary commitment", 2, |c, i| c.primary.instance.commitments[i] = c.powers.points()[1]),
    ("primary public input", 2, |c, i| c.primary.instance.publics[i] += Fr::ONE),
    ("primary challenge", 2, |c, i| c.primary.instance.challenges[i] += Fr::ONE),
    ("beta", 6, |c, i| c.primary.betas[i] += Fr::ONE),
    ("error", 1, |c, _| c.primary.error += Fr::ONE),
    ("secondary commitment", 2, |c, i| c.secondary.instance.commitments[i] = c.generators.points()[1]),
    ("secondary public input", 2, |c, i| c.secondary.instance.publics[i] += grumpkin::Fr::ONE),
    ("secondary challenge", 2, |c, i| c.secondary.instance.challenges[i] += grumpkin::Fr::ONE),
    ("scale", 1, |c, _| c.secondary.scale += grumpkin::Fr::ONE),
    ("error commitment", 1, |c, _| c.secondary.error = c.generators.points()[1]),
];

#[test]
fn a_proof_is_of_no_other_accumulators() {
    let honest = claimed();
    let proof = honest.prove();
    for (what, count, change) in CHANGES {
        for index in 0..count {
            let mut changed = claimed();
            change(&mut changed, index);
            assert!(changed.verify(&proof).is_err(), "{what} {index}");
        }
    }
}

#[test]
fn challenges_depend_on_all_of_both_accumulators() {
    let honest = claimed();
    let challenge = |c: &Claimed| c.accumulators().transcript(&c.key).challenge::<Fr>(b"test");
    for (what, count, change) in CHANGES {
        for index in 0..count {
            let mut changed = claimed();
            change(&mut changed, index);
            assert_ne!(challenge(&changed), challenge(&honest), "{what} {index}");
        }
    }
    let mut other = claimed();
    other.generators = CommitmentKey::setup(7, b"others").unwrap();
    other.key =
        verifier_key(&other.powers, &other.generators, &honest.key.primary, &honest.key.secondary).unwrap();
    assert_ne!(challenge(&other), challenge(&honest));
}

#[test]
fn the_two_vectors_are_bound_to_each_other_by_one_transcript() {
    let (honest, other) = (claimed(), Claimed::random(&mut rng(2), 2));
    let mut mixed = honest.prove();
    let proof = other.prove();
    mixed.secondary = proof.secondary;
    mixed.secondary_opening = proof.secondary_opening;
    assert!(honest.verify(&mixed).is_err());
}

#[test]
fn no_flipped_bit_of_a_proof_is_accepted() {
    let claimed = claimed();
    let bytes = claimed.prove().to_bytes();
    // One bit of each byte, another from byte to byte.
    for (index, byte) in bytes.iter().enumerate() {
        let mut flipped = bytes.clone();
        flipped[index] = byte ^ (1 << (index % 8));
        let refused = Proof::from_bytes(&flipped).map_or(true, |proof| claimed.verify(&proof).is_err());
        assert!(refused, "byte {index}");
    }
}

#[test]
fn bytes_that_are_cut_or_long_are_refused() {
    let bytes = claimed().prove().to_bytes();
    for length in (0..bytes.len()).step_by(31).chain([bytes.len() - 1]) {
        assert!(Proof::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Proof::from_bytes(&[bytes.as_slice(), &[0]].concat()).is_err());
}

#[test]
fn accumulators_of_another_shape_are_refused_by_prover_and_verifier() {
    let shape = |of, expected, found| Err(Error::Shape { of, expected, found });
    let proof = claimed().prove();
    let refused = |change: fn(&mut Claimed)| {
        let mut changed = claimed();
        change(&mut changed);
        let key = ProverKey::new(&changed.key, changed.powers.points()).unwrap();
        let witnesses = Witnesses { primary: &changed.primary_vector, secondary: &changed.secondary_witness };
        let proved = prove(&key, &changed.accumulators(), &witnesses).map(|_| ());
        assert_eq!(changed.verify(&proof), proved);
        proved
    };
    let betas = claimed().primary.betas.len();
    assert_eq!(refused(|c| c.primary.betas.truncate(1)), shape("betas", betas, 1));
    assert_eq!(refused(|c| c.primary.instance.commitments.truncate(1)), shape("commitments", 2, 1));
    assert_eq!(refused(|c| c.primary.instance.publics.push(Fr::ONE)), shape("public inputs", 2, 3));
    assert_eq!(refused(|c| c.primary.instance.challenges.clear()), shape("challenges", 2, 0));
    assert_eq!(refused(|c| c.secondary.instance.commitments.clear()), shape("commitments", 2, 0));
    assert_eq!(refused(|c| c.secondary.instance.publics.truncate(1)), shape("public inputs", 2, 1));
    assert_eq!(refused(|c| c.secondary.instance.challenges.truncate(1)), shape("challenges", 2, 1));
}

#[test]
fn keys_that_are_too_short_are_refused() {
    let claimed = claimed();
    let short = CommitmentKey::setup(4, b"accumulators").unwrap();
    let refused = verifier_key(&claimed.powers, &short, &claimed.key.primary, &claimed.key.secondary);
    let too_short = |curve| Error::KeyLength { curve, found: 16, needed: 128 };
    assert_eq!(refused.unwrap_err(), too_short("grumpkin"));
    let refused = ProverKey::new(&claimed.key, &claimed.powers.points()[..16]);
    assert!(matches!(refused.unwrap_err(), Error::KeyLength { curve: "bn256", found: 16, .. }));
}

#[test]
fn the_weights_of_errors_are_drawn_after_them() {
    let weight = |c: &Claimed| {
        let shape = c.key.secondary_shape().unwrap();
        statement::secondary_statement(&mut c.accumulators().transcript(&c.key), &shape, &[]).weight
    };
    let (honest, mut changed) = (claimed(), claimed());
    changed.secondary.error = changed.generators.points()[1];
    let (drawn, other) = (weight(&honest), weight(&changed));
    for (variable, factor) in drawn.factors().iter().enumerate() {
        assert!(!other.factors().contains(factor), "variable {variable}");
        assert!(!drawn.factors()[..variable].contains(factor), "variable {variable}");
    }
}
