use super::*;
use crate::protogalaxy;
use crate::snark::{accumulators, encoding, spartan, sumcheck};

fn is_refused(proof: &Compressed) -> bool {
    matches!(SETUP.verify(proof, 3), Err(Error::Refused(_)))
}

#[test]
fn a_statement_other_than_the_proved_one_is_refused() {
    let (_, proof) = &*THREE;
    let verify = |steps, z: [u64; 2], z2: u64| {
        proof.verify(&SETUP.verifier, steps, &z.map(Fr::from), &[grumpkin::Fr::from(z2)])
    };
    verify(3, START, 5).unwrap();
    assert!(matches!(verify(0, START, 5), Err(Error::Refused(Refusal::NoSteps))));
    for (steps, z, z2) in
        [(2, START, 5), (4, START, 5), (1, START, 5), (3, [4, 4], 5), (3, [3, 5], 5), (3, START, 6)]
    {
        assert!(matches!(verify(steps, z, z2), Err(Error::Refused(_))), "{steps} {z:?} {z2}");
    }
}

/// Ways to change a proof.
type Change = fn(&mut Compressed);

const CHANGES: [(&str, Change); 22] = [
    ("primary output", |p| p.primary_output[0] += Fr::ONE),
    ("primary outputs", |p| p.primary_output.swap(0, 1)),
    ("secondary output", |p| p.secondary_output[0] += grumpkin::Fr::ONE),
    ("primary commitment", |p| p.accumulator.instance.commitments[0] = POWERS.points()[1]),
    ("primary commitment, the identity", |p| p.accumulator.instance.commitments[0] = G1Affine::default()),
    ("primary public input", |p| p.accumulator.instance.publics[0] += Fr::ONE),
    ("beta", |p| p.accumulator.betas[0] += Fr::ONE),
    ("last beta", |p| *p.accumulator.betas.last_mut().unwrap() += Fr::ONE),
    ("error", |p| p.accumulator.error += Fr::ONE),
    ("last commitment", |p| p.last[0] = POWERS.points()[1]),
    ("last commitment for the accumulator's", |p| p.last = p.accumulator.instance.commitments.clone()),
    ("perturbator", |p| p.fold.perturbator[0] += Fr::ONE),
    ("quotient", |p| p.fold.quotient[0] += Fr::ONE),
    ("secondary commitment", |p| p.secondary_accumulator.instance.commitments[0] = SECONDARY_KEY.points()[1]),
    ("secondary public input", |p| p.secondary_accumulator.instance.publics[0] += grumpkin::Fr::ONE),
    ("scale", |p| p.secondary_accumulator.scale += grumpkin::Fr::ONE),
    ("error commitment", |p| p.secondary_accumulator.error = SECONDARY_KEY.points()[1]),
    ("commitments swapped", |p| {
        let second = &mut p.secondary_accumulator;
        std::mem::swap(&mut second.instance.commitments[0], &mut second.error);
    }),
    ("primary sum", |p| p.accumulators.primary.inputs[0] += Fr::ONE),
    ("primary opening", |p| p.accumulators.primary_opening.differences[0] += Fr::ONE),
    ("secondary sum", |p| p.accumulators.secondary.inputs[0] += grumpkin::Fr::ONE),
    ("secondary opening", |p| p.accumulators.secondary_opening.last += grumpkin::Fr::ONE),
];

#[test]
fn a_proof_with_any_part_changed_is_refused() {
    for (what, change) in CHANGES {
        let mut proof = THREE.1.clone();
        change(&mut proof);
        assert!(is_refused(&proof), "{what}");
    }
}

const SHAPES: [(&str, Change); 18] = [
    ("a primary commitment too many", |p| p.accumulator.instance.commitments.push(G1Affine::default())),
    ("no primary commitment", |p| p.accumulator.instance.commitments.clear()),
    ("no public input", |p| p.accumulator.instance.publics.clear()),
    ("a challenge", |p| p.accumulator.instance.challenges.push(Fr::ONE)),
    ("a beta too few", |p| p.accumulator.betas.truncate(3)),
    ("a beta too many", |p| p.accumulator.betas.push(Fr::ONE)),
    ("no last commitment", |p| p.last.clear()),
    ("a last commitment too many", |p| p.last.push(G1Affine::default())),
    ("no fold", |p| p.fold = protogalaxy::Proof { perturbator: Vec::new(), quotient: Vec::new() }),
    ("a short fold", |p| p.fold.quotient.truncate(1)),
    ("a long fold", |p| p.fold.perturbator.push(Fr::ZERO)),
    ("no secondary commitment", |p| p.secondary_accumulator.instance.commitments.clear()),
    ("a secondary input too few", |p| p.secondary_accumulator.instance.publics.truncate(1)),
    ("a secondary challenge", |p| p.secondary_accumulator.instance.challenges.push(grumpkin::Fr::ONE)),
    ("a primary commitment off the curve", |p| {
        p.accumulator.instance.commitments[0] = G1Affine { x: bn256::Fq::ONE, y: bn256::Fq::ONE };
    }),
    ("a secondary commitment off the curve", |p| {
        p.secondary_accumulator.instance.commitments[0] =
            grumpkin::G1Affine { x: grumpkin::Fq::ONE, y: grumpkin::Fq::ONE };
    }),
    ("a last commitment off the curve", |p| p.last[0] = G1Affine { x: bn256::Fq::ONE, y: bn256::Fq::ONE }),
    ("an error off the curve", |p| {
        p.secondary_accumulator.error = grumpkin::G1Affine { x: grumpkin::Fq::ONE, y: grumpkin::Fq::ONE };
    }),
];

#[test]
fn a_proof_of_another_shape_is_refused() {
    for (what, change) in SHAPES {
        let mut proof = THREE.1.clone();
        change(&mut proof);
        // By their shape, before anything is computed of them; a fold's by what folds.
        let Err(Error::Refused(refusal)) = SETUP.verify(&proof, 3) else { panic!("not refused: {what}") };
        let expected = if what.ends_with(" fold") {
            matches!(refusal, Refusal::Fold(_))
        } else {
            matches!(refusal, Refusal::Shape(_))
        };
        assert!(expected, "{what}: {refusal}");
    }
}

#[test]
fn a_first_instance_takes_no_fold() {
    let honest = SETUP.compress(&SETUP.start());
    SETUP.verify(&honest, 1).unwrap();
    let changes: [Change; 2] = [|p| p.fold.quotient.push(Fr::ZERO), |p| p.fold.perturbator.push(Fr::ZERO)];
    for change in changes {
        let mut proof = honest.clone();
        change(&mut proof);
        let refused = SETUP.verify(&proof, 1);
        assert!(matches!(refused, Err(Error::Refused(Refusal::Shape("fold of a first instance")))));
    }
}

/// Ways to spoil a computation.
type Spoil = fn(&mut Ivc);

const SPOILED: [(&str, Spoil); 6] = [
    ("last instance's vector", |ivc| *ivc.state.latest_vector.last_mut().unwrap() += Fr::ONE),
    ("accumulator's vector", |ivc| *ivc.state.accumulator_vector.last_mut().unwrap() += Fr::ONE),
    ("accumulator's error", |ivc| ivc.state.accumulator.error += Fr::ONE),
    ("secondary vector", |ivc| *ivc.state.secondary_witness.vector.last_mut().unwrap() += grumpkin::Fr::ONE),
    ("secondary errors", |ivc| ivc.state.secondary_witness.error[0] += grumpkin::Fr::ONE),
    ("output", |ivc| ivc.state.primary[0] += Fr::ONE),
];

#[test]
fn a_computation_whose_proof_does_not_hold_is_not_proved() {
    for (what, spoil) in SPOILED {
        let mut ivc = THREE.0.clone();
        spoil(&mut ivc);
        assert!(ivc.verify(&SETUP.pp).is_err(), "{what}");
        assert!(is_refused(&SETUP.compress(&ivc)), "{what}");
    }
}

#[test]
fn a_first_instance_that_satisfies_nothing_is_not_proved() {
    // The vector is the committed one; only the circuit is not satisfied.
    let mut ivc = SETUP.start();
    let state = &mut ivc.state;
    *state.latest_vector.last_mut().unwrap() += Fr::ONE;
    let layout = SETUP.pp.parameters.primary.relation.layout();
    state.latest.commitments[0] = POWERS.commit(&state.latest_vector[layout.round(0)]).unwrap();
    let refused = SETUP.verify(&SETUP.compress(&ivc), 1);
    let sum = accumulators::Error::Primary(spartan::Error::Rows(sumcheck::Error::Refused));
    assert!(matches!(refused, Err(Error::Refused(Refusal::Accumulators(error))) if error == sum));
}

#[test]
fn the_halves_of_two_computations_are_no_proof() {
    let mut other = SETUP.start_from([Fr::from(8), Fr::from(9)]);
    (1..3).for_each(|_| SETUP.step(&mut other));
    let other = SETUP.compress(&other);
    let mut stitched = THREE.1.clone();
    stitched.secondary_accumulator = other.secondary_accumulator;
    stitched.accumulators.secondary = other.accumulators.secondary;
    stitched.accumulators.secondary_opening = other.accumulators.secondary_opening;
    assert!(is_refused(&stitched));
}

#[test]
fn a_key_of_another_circuit_or_commitment_key_is_refused() {
    static OTHER: Quintic = Quintic { iterations: 11 };
    static KEY: LazyLock<CommitmentKey<G1Affine>> =
        LazyLock::new(|| CommitmentKey::insecure_setup(15, rng(2)).unwrap());
    let (ivc, proof) = &*THREE;
    for setup in [Setup::new(&OTHER, &POWERS), Setup::new(&QUINTIC, &KEY)] {
        assert!(matches!(setup.verify(proof, 3), Err(Error::Refused(_))));
        assert_ne!(setup.verifier.digest(), SETUP.verifier.digest());
        assert!(matches!(ivc.compress(&setup.pp, &setup.prover), Err(Error::OtherParameters)));
        assert!(matches!(ivc.compress(&SETUP.pp, &setup.prover), Err(Error::OtherParameters)));
    }
}

#[test]
fn a_transparent_key_gives_no_compression_keys() {
    static KEY: LazyLock<CommitmentKey<G1Affine>> = LazyLock::new(|| testing::on_bn256(15));
    let refused = params(&QUINTIC, &KEY).compression_keys();
    assert!(matches!(refused.map(|_| ()), Err(Error::Transparent)));
}

#[test]
fn no_flipped_bit_of_a_proof_is_accepted() {
    let bytes = THREE.1.to_bytes();
    // A bit of every 29th byte, and of all bytes that lengths come from first.
    for index in (0..bytes.len()).step_by(29) {
        let mut flipped = bytes.clone();
        flipped[index] ^= 1 << (index % 8);
        assert!(Compressed::from_bytes(&flipped).map_or(true, |proof| is_refused(&proof)), "byte {index}");
    }
}

#[test]
fn bytes_that_are_cut_or_long_are_refused() {
    let bytes = THREE.1.to_bytes();
    for length in 0..bytes.len() {
        assert!(Compressed::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(Compressed::from_bytes(&[bytes.as_slice(), &[0]].concat()).is_err());
    assert!(Compressed::from_bytes(&[[0].as_slice(), &bytes[1..]].concat()).is_err(), "another version");
}

#[test]
fn lengths_that_no_proof_has_are_refused_before_what_they_are_of_is_read() {
    let bytes = THREE.1.to_bytes();
    // The version and the outputs are before the first accumulator's commitments.
    let commitments = 1 + 3 * encoding::ELEMENT_BYTES;
    let publics = commitments + 1 + usize::from(bytes[commitments]) * encoding::ELEMENT_BYTES;
    let refused = |at: usize, length: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + length.len()].copy_from_slice(length);
        Compressed::from_bytes(&changed).unwrap_err()
    };
    let length = |found, least, most| encoding::Error::Length { found, least, most };
    assert_eq!(refused(0, &[2]), encoding::Error::Version { found: 2, wanted: 1 });
    assert_eq!(refused(commitments, &[0]), length(0, 1, 8));
    assert_eq!(refused(commitments, &[9]), length(9, 1, 8));
    assert_eq!(refused(publics, &[1, 16]), length(4097, 0, 4096));
}
