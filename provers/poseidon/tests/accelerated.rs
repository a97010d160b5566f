//! Proofs that are made on the acceleration library, as the separate verifier of halo2-axiom checks them.

mod support;

use poseidon::{Error, Input, Rejection};
use support::{HASH_OF_1_2, proof_of_1_2, prover, statement};

#[test]
fn every_number_of_inputs_has_proofs_on_the_acceleration_library() {
    for inputs in 1..=16 {
        prover().warm(inputs).unwrap();
        let integers: Vec<u64> = (0..inputs as u64).map(|i| u64::MAX - i).collect();
        let input = statement(&integers);
        let proof = prover().prove(&input).unwrap();
        prover().verify(input.inputs(), input.public_input(), &proof).unwrap();
    }
}

#[test]
fn one_statement_has_two_blinded_proofs_and_no_proof_is_one_of_another() {
    assert_ne!(proof_of_1_2(), prover().prove(&statement(&[1, 2])).unwrap());
    let other = statement(&[3, 4]);
    assert_eq!(prover().verify(2, other.public_input(), proof_of_1_2()), Err(Rejection::Invalid));
    assert_eq!(prover().verify(2, HASH_OF_1_2, proof_of_1_2()), Ok(()));
}

#[test]
fn a_wrong_public_input_is_not_proven() {
    let input = Input::new(vec![1, 2], "0".to_owned()).unwrap();
    assert!(matches!(prover().prove(&input), Err(Error::WrongPublicInput)));
}
