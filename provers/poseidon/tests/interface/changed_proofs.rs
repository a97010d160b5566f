//! A proof text with anything about it changed is not accepted.

use crate::support::{HASH_OF_1_2, bytes, proof_of_1_2, prover, statement, text};
use poseidon::{DecimalError, Rejection};

fn verify(proof: &str) -> Result<(), Rejection> {
    prover().verify(2, HASH_OF_1_2, proof)
}

fn is_encoding<T>(verdict: Result<T, Rejection>) -> bool {
    matches!(verdict, Err(Rejection::Encoding(_)))
}

#[test]
fn the_proof_as_it_is_is_accepted() {
    assert_eq!(verify(proof_of_1_2()), Ok(()));
}

#[test]
fn every_seventh_byte_changed_in_one_bit_is_rejected() {
    let proof = bytes(proof_of_1_2());
    for index in (0..proof.len()).step_by(7) {
        let mut changed = proof.clone();
        changed[index] ^= 1 << (index % 8);
        assert!(verify(&text(&changed)).is_err(), "byte {index}");
    }
}

#[test]
fn the_top_bits_of_every_point_and_scalar_count() {
    // The front end's reader of points ignores one of them: see src/transcript.rs.
    let proof = bytes(proof_of_1_2());
    for last in (2 + 31..proof.len()).step_by(32) {
        for bit in [6, 7] {
            let mut changed = proof.clone();
            changed[last] ^= 1 << bit;
            assert!(verify(&text(&changed)).is_err(), "bit {bit} of byte {last}");
        }
    }
}

#[test]
fn a_scalar_written_as_itself_plus_the_modulus_is_rejected() {
    // The modulus r, little-endian. An evaluation plus r still fits in 32 bytes.
    let modulus: [u8; 32] = [
        0x01, 0x00, 0x00, 0xf0, 0x93, 0xf5, 0xe1, 0x43, 0x91, 0x70, 0xb9, 0x79, 0x48, 0xe8, 0x33, 0x28, 0x5d,
        0x58, 0x81, 0x81, 0xb6, 0x45, 0x50, 0xb8, 0x29, 0xa0, 0x31, 0xe1, 0x72, 0x4e, 0x64, 0x30,
    ];
    let proof = bytes(proof_of_1_2());
    for start in (2..proof.len()).step_by(32) {
        let mut changed = proof.clone();
        let mut carry = 0_u16;
        for (byte, add) in changed[start..start + 32].iter_mut().zip(modulus) {
            let sum = u16::from(*byte) + u16::from(add) + carry;
            *byte = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        if carry == 0 {
            assert!(verify(&text(&changed)).is_err(), "32 bytes from {start}");
        }
    }
}

#[test]
fn missing_and_added_bytes_are_rejected() {
    let proof = bytes(proof_of_1_2());
    for length in [0, 1, 2, 3, 33, 34, proof.len() - 32, proof.len() - 1] {
        assert!(verify(&text(&proof[..length])).is_err(), "first {length} bytes");
        assert!(verify(&text(&proof[proof.len() - length..])).is_err(), "last {length} bytes");
    }
    for added in [1, 2, 31, 32, 64, 4096] {
        let longer = [&proof[..], &vec![0; added]].concat();
        assert_eq!(verify(&text(&longer)), Err(Rejection::NotCanonical), "{added} bytes after it");
        let longer = [&vec![0; added], &proof[..]].concat();
        assert!(verify(&text(&longer)).is_err(), "{added} bytes before it");
    }
    let huge = [&proof[..], &vec![0; 1 << 20]].concat();
    assert!(is_encoding(verify(&text(&huge))));
}

#[test]
fn a_text_that_decodes_to_the_same_bytes_is_still_not_the_text() {
    // A proof of one input: its text is padded.
    let input = statement(&[1]);
    let proof = prover().prove(&input).unwrap();
    assert!(proof.ends_with('='), "the cases below change the padding");
    let unpadded = proof.trim_end_matches('=');
    let (body, last) = unpadded.split_at(unpadded.len() - 1);
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let next = alphabet.chars().nth(alphabet.find(last).unwrap() + 1).unwrap();
    let stray_bits = format!("{body}{next}{}", &proof[unpadded.len()..]);
    let url_safe = proof.replace('+', "-").replace('/', "_");
    for changed in [
        unpadded.to_owned(),
        format!("{proof}="),
        stray_bits,
        url_safe,
        format!("{proof}\n"),
        format!(" {proof}"),
        proof.replacen(&proof[100..101], &format!("{}\n", &proof[100..101]), 1),
        format!("\"{proof}\""),
        String::new(),
        "=".to_owned(),
        "ä".to_owned(),
    ] {
        let verdict = prover().verify(1, input.public_input(), &changed);
        assert!(is_encoding(verdict), "{changed}");
    }
}

#[test]
fn a_proof_for_another_number_of_inputs_is_rejected() {
    for inputs in (1..=16).filter(|&inputs| inputs != 2) {
        let expected = Rejection::Header { expected: [1, inputs], found: [1, 2] };
        assert_eq!(prover().verify(inputs.into(), HASH_OF_1_2, proof_of_1_2()), Err(expected));
        let mut relabelled = bytes(proof_of_1_2());
        relabelled[1] = inputs;
        assert_eq!(prover().verify(inputs.into(), HASH_OF_1_2, &text(&relabelled)), Err(Rejection::Invalid));
    }
    for inputs in [0, 17, usize::MAX] {
        assert_eq!(prover().verify(inputs, HASH_OF_1_2, proof_of_1_2()), Err(Rejection::Inputs(inputs)));
    }
}

#[test]
fn another_public_input_and_every_other_spelling_of_it_are_rejected() {
    let verify = |public: &str| prover().verify(2, public, proof_of_1_2());
    for digit in 0..HASH_OF_1_2.len() {
        let mut digits = HASH_OF_1_2.as_bytes().to_vec();
        digits[digit] = if digits[digit] == b'1' { b'2' } else { b'1' };
        assert_eq!(verify(std::str::from_utf8(&digits).unwrap()), Err(Rejection::Invalid), "digit {digit}");
    }
    let plus_modulus = "29741442992615338100931204109352347547363393776508766352947619112903268309147";
    assert_eq!(verify(plus_modulus), Err(Rejection::PublicInput(DecimalError::TooLarge)));
    let leading = format!("0{HASH_OF_1_2}");
    assert_eq!(verify(&leading), Err(Rejection::PublicInput(DecimalError::LeadingZero)));
    assert_eq!(verify(""), Err(Rejection::PublicInput(DecimalError::Empty)));
    assert_eq!(verify(&format!("{HASH_OF_1_2} ")), Err(Rejection::PublicInput(DecimalError::NotADigit(' '))));
}
