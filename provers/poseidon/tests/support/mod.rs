//! Statements to prove, and one prover for all tests of a program, because it keeps the keys.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used)]

pub mod ptau;

use std::sync::OnceLock;

use base64::{Engine, engine::general_purpose::STANDARD};
use poseidon::{Fr, Input, Prover, Srs, format_decimal, hash};

pub const HASH_OF_1_2: &str = "7853200120776062878684798364095072458815029376092732009249414926327459813530";

pub fn prover() -> &'static Prover {
    static PROVER: OnceLock<Prover> = OnceLock::new();
    PROVER.get_or_init(|| Prover::new(Srs::development()))
}

/// The true statement about these integers.
pub fn statement(integers: &[u64]) -> Input {
    let elements: Vec<Fr> = integers.iter().map(|&x| Fr::from(x)).collect();
    Input::new(integers.to_vec(), format_decimal(&hash(&elements))).unwrap()
}

/// One proof of 1, 2 for all tests that only look at it.
pub fn proof_of_1_2() -> &'static str {
    static PROOF: OnceLock<String> = OnceLock::new();
    PROOF.get_or_init(|| prover().prove(&statement(&[1, 2])).unwrap())
}

/// The bytes behind a proof text, header included.
pub fn bytes(text: &str) -> Vec<u8> {
    STANDARD.decode(text).unwrap()
}

/// Bytes as text again.
pub fn text(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}
