//! Random circuits, as many as there is time for in each run. test/long/ has ten thousand.

use crate::support::random::check;

#[test]
fn verifier_and_mock_prover_agree_on_random_circuits() {
    for seed in 0..48 {
        check(seed);
    }
}
