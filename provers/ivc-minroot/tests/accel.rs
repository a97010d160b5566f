//! Proofs that are made on the acceleration library are those that this library makes alone, byte for byte.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use ivc_minroot::{Input, Prover, Setup};

#[test]
fn a_proof_on_the_acceleration_library_is_the_proof_that_is_made_without_it() {
    let alone = Prover::new(Setup::development().unwrap());
    for (steps, x, y) in [(1, "0", "1"), (3, "7", "0")] {
        let json = format!(r#"{{"steps":{steps},"z0":["{x}","{y}"]}}"#);
        let input: Input = serde_json::from_str(&json).unwrap();
        let proof = Prover::global().unwrap().prove(&input).unwrap();
        assert_eq!(proof, alone.prove(&input).unwrap());
        alone.verify(steps, &input.start(), &proof).unwrap();
        alone.verify(steps + 1, &input.start(), &proof).unwrap_err();
    }
}
