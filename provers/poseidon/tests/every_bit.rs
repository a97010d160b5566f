//! Every bit of a proof for each number of inputs, changed. It takes minutes, so it is a separate test:
//! `cargo test --release -p poseidon --features long --test every_bit`.
#![allow(clippy::unwrap_used)]

mod support;

use support::{bytes, prover, statement, text};

#[test]
fn no_proof_with_one_bit_changed_is_accepted() {
    for inputs in [1, 2, 16] {
        let input = statement(&(1..=inputs).collect::<Vec<_>>());
        let proof = bytes(&prover().prove(&input).unwrap());
        for bit in 0..proof.len() * 8 {
            let mut changed = proof.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            let verdict = prover().verify(input.inputs(), input.public_input(), &text(&changed));
            assert!(verdict.is_err(), "{inputs} inputs, bit {bit}");
        }
    }
}
