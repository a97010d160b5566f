//! What is proven, what is accepted, and what the keys are.

use crate::support::{HASH_OF_1_2, proof_of_1_2, prover, ptau, statement};
use poseidon::{Error, Input, Prover, Rejection, Srs};
use proptest::prelude::*;

#[test]
fn every_number_of_inputs_has_a_circuit_whose_proofs_verify() {
    for inputs in 1..=16 {
        let integers: Vec<u64> = (0..inputs).map(|i| u64::MAX - i).collect();
        let input = statement(&integers);
        let proof = prover().prove(&input).unwrap();
        prover().verify(input.inputs(), input.public_input(), &proof).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_proof_of_any_integers_verifies_and_proves_no_other_statement(
        integers in prop::collection::vec(any::<u64>(), 1..=16),
        other in any::<u64>(),
    ) {
        let input = statement(&integers);
        let proof = prover().prove(&input).unwrap();
        prop_assert_eq!(prover().verify(input.inputs(), input.public_input(), &proof), Ok(()));
        let other = statement(&[other]);
        prop_assert_eq!(
            prover().verify(input.inputs(), other.public_input(), &proof),
            if other.public_input() == input.public_input() { Ok(()) } else { Err(Rejection::Invalid) }
        );
    }
}

#[test]
fn a_wrong_public_input_is_not_proven() {
    for public_input in ["0", "7853200120776062878684798364095072458815029376092732009249414926327459813531"]
    {
        let input = Input::new(vec![1, 2], public_input.to_owned()).unwrap();
        assert!(matches!(prover().prove(&input), Err(Error::WrongPublicInput)));
    }
}

#[test]
fn two_proofs_of_one_statement_differ_because_each_has_new_blinding() {
    assert_ne!(proof_of_1_2(), prover().prove(&statement(&[1, 2])).unwrap());
}

#[test]
fn a_proof_is_rejected_under_other_set_up_parameters() {
    let other = ptau::write("other-parameters", &ptau::valid(7));
    let other = Prover::new(Srs::from_ptau(&other).unwrap());
    assert_eq!(other.verify(2, HASH_OF_1_2, proof_of_1_2()), Err(Rejection::Invalid));
    let proof = other.prove(&statement(&[1, 2])).unwrap();
    other.verify(2, HASH_OF_1_2, &proof).unwrap();
    assert_eq!(prover().verify(2, HASH_OF_1_2, &proof), Err(Rejection::Invalid));
}

/// The digests of the verifying keys under the development parameters. One changes if and only if the circuit,
/// the hash's parameters, the set-up parameters or the front end change: then old proofs do not verify any
/// more, and the format number in `proof_text.rs` has to count up.
const KEY_DIGESTS: [&str; 16] = [
    "20126a533367838d3c2ff3d89b39dcad6ec744ab1166a914bdd3ba29ff2ad64d",
    "0527e1cbdda976088a54eb5972dfc6223e31ffda1fb4e29b0f23bc5e2e642677",
    "051387c41c01f00e71c4e00f1005c9c971d8be7a3d9829d4f0fa867897a84af4",
    "143062976f3f1142540b2c746230ac9f6df3d66d303fb4ed2862f00aaa83d8c7",
    "2839deefe4346235d20eb8002ab98e8dd3d534ad503338f5ce4e48ccdee3ceb0",
    "233513bc85f2370eb5881fe3518466eea4f58a9ccb127a6c136e960ca7de7ab7",
    "1f4faf1ed32ed4df3f5eb78f55b0545646bce526425b8932cc4b03956db683a9",
    "04f88d17070ac6e75d226e0d0a81ffcce2f7a18165266d754e5da3fca033a20a",
    "2c278cf9d89ecbcd1e3d8f972bc2b4342987282fda209eb1fe4e5a40c9eada84",
    "0230dbd9c8e38fbef627882a661c70563bb8ea2f6a41ca7bad211f7b1dc025b7",
    "2bc19b5bb2ecea1f7dae34b69270e83e7f1544cd482ac2cd9c914345d4f284dc",
    "1b79c2538db83e3e6cfa11ebe420f33787b5e2fe71d63c42653cb5f68a5f6274",
    "0304262b7594904ff30e7a9721de33d3d9ce8b341764967d3d017c61244bfea5",
    "18d300398cde87b4eea44c5d89369aeca42b4ada08c15ae0e2a9d2138f76c306",
    "02791baf3f0dccbe144e3bfc66b05c067943fd73724ec238b5f3fa60f64215b6",
    "218e58cf4922c74870d695b2282ac31b47cc6c3acc767d926f3f7ac1597776e6",
];

#[test]
fn the_verifying_keys_are_the_known_ones() {
    let digests: Vec<_> = (1..=16).map(|inputs| prover().key_digest(inputs).unwrap()).collect();
    assert_eq!(digests, KEY_DIGESTS);
}
