//! Proofs as bytes: what another party reads, and what it refuses.

use std::sync::LazyLock;

use crate::common::{PARAMETERS, SECONDARY_Z_0, Z_0, computed, output};
use elastic_folding::ivc::{BytesError, Error, Refusal};
use elastic_folding::prelude::bn256::Proof;
use elastic_folding::snark::encoding;
use proptest::prelude::*;

const STEPS: u64 = 3;
const HEADER_BYTES: usize = 52;
const ELEMENT_BYTES: usize = 32;

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| computed(STEPS).proof().to_bytes());

fn read(bytes: &[u8]) -> Result<Proof<1, 1>, Error> {
    Proof::from_bytes(bytes, &PARAMETERS)
}

fn refusal(bytes: &[u8]) -> BytesError {
    match read(bytes).unwrap_err() {
        Error::Bytes(error) => error,
        other => panic!("not refused for its bytes: {other}"),
    }
}

fn flipped(index: usize, bit: usize) -> Vec<u8> {
    let mut bytes = BYTES.clone();
    bytes[index] ^= 1 << bit;
    bytes
}

/// Whether bytes are refused, as they are read or as a proof of the steps.
fn is_refused(bytes: &[u8]) -> bool {
    read(bytes).and_then(|proof| proof.verify_with(&PARAMETERS, STEPS, &Z_0, &SECONDARY_Z_0)).is_err()
}

#[test]
fn a_proof_read_from_its_bytes_verifies_and_has_the_same_bytes() {
    for steps in [1, 2, STEPS] {
        let bytes = computed(steps).proof().to_bytes();
        let proof = read(&bytes).unwrap();
        let outputs = proof.verify_with(&PARAMETERS, steps, &Z_0, &SECONDARY_Z_0).unwrap();
        assert_eq!(outputs, (output(steps), SECONDARY_Z_0));
        assert_eq!((proof.steps(), proof.to_bytes()), (steps, bytes));
    }
}

#[test]
fn a_proof_is_as_long_after_any_number_of_steps_from_two_on() {
    assert_eq!(computed(2).proof().to_bytes().len(), BYTES.len());
    assert!(computed(1).proof().to_bytes().len() < BYTES.len());
}

/// Every byte of the header, one bit of every element that is not one of the many values, and some of those.
#[test]
fn a_flipped_bit_anywhere_is_refused() {
    let [values, _] = PARAMETERS.committed_values().map(|values| values * ELEMENT_BYTES);
    // The states; a commitment and a public input; the values.
    let last_instance = HEADER_BYTES + 6 * ELEMENT_BYTES;
    let accumulator = last_instance + values;
    // Its values end where the secondary accumulator begins: more than all of its other elements are gone through.
    let elements = |start: usize, count: usize| (start..start + count * ELEMENT_BYTES).step_by(ELEMENT_BYTES);
    let few = (0..HEADER_BYTES).chain(elements(HEADER_BYTES, 8)).chain(elements(accumulator, 24));
    let secondary = accumulator + values;
    let all =
        few.chain(elements(secondary, 64)).chain((last_instance..BYTES.len()).step_by(BYTES.len() / 12));
    for index in all.chain([BYTES.len() - 1]) {
        assert!(is_refused(&flipped(index, index % 8)), "byte {index} of {}", BYTES.len());
    }
}

#[test]
fn bytes_cut_short_or_followed_by_others_are_refused_by_their_length() {
    let wanted = BYTES.len() as u64;
    for found in
        [HEADER_BYTES, HEADER_BYTES + 1, 1000, BYTES.len() / 2, BYTES.len() - ELEMENT_BYTES, BYTES.len() - 1]
    {
        let length = BytesError::Length { found: found as u64, wanted };
        assert_eq!(refusal(&BYTES[..found]), length);
    }
    for found in [0, 1, 8, HEADER_BYTES - 1] {
        assert_eq!(refusal(&BYTES[..found]), BytesError::NotThis);
    }
    let longer = [&BYTES[..], &[0]].concat();
    assert_eq!(refusal(&longer), BytesError::Length { found: wanted + 1, wanted });
}

#[test]
fn distinguishes_a_header_of_something_else() {
    assert_eq!(refusal(&flipped(0, 0)), BytesError::NotThis);
    assert_eq!(refusal(&flipped(8, 1)), BytesError::Version { found: 3, wanted: 1 });
    assert!(matches!(read(&flipped(12, 0)), Err(Error::OtherParameters)));
    let mut bytes = BYTES.clone();
    bytes[44..HEADER_BYTES].fill(0);
    assert_eq!(refusal(&bytes), BytesError::NoSteps);
    // One step has no accumulated values, so that its proof is shorter.
    bytes[44] = 1;
    assert!(matches!(refusal(&bytes), BytesError::Length { found, wanted } if found > wanted));
    bytes[44..HEADER_BYTES].fill(0xff);
    let proof = read(&bytes).unwrap();
    let verified = proof.verify_with(&PARAMETERS, u64::MAX, &Z_0, &SECONDARY_Z_0);
    assert!(matches!(verified, Err(Error::Refused(Refusal::StateHash))));
}

#[test]
fn elements_that_are_not_canonical_are_refused() {
    let filled = |element: usize| {
        let mut bytes = BYTES.clone();
        let start = HEADER_BYTES + element * ELEMENT_BYTES;
        bytes[start..start + ELEMENT_BYTES].fill(0xff);
        refusal(&bytes)
    };
    assert_eq!(filled(0), BytesError::Element(encoding::Error::Scalar));
    assert_eq!(filled(4), BytesError::Element(encoding::Error::Point));
    assert_eq!(filled(1000), BytesError::Element(encoding::Error::Scalar));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn bytes_of_any_kind_are_an_error(kept in 0..HEADER_BYTES + 1, bytes: Vec<u8>) {
        let bytes = [&BYTES[..kept], &bytes].concat();
        prop_assert!(read(&bytes).is_err());
    }
}
