//! Bytes that are no verifier's key, or not the one that is expected.

use std::sync::Arc;

use halo2curves::CurveAffine as _;
use halo2curves::bn256::{Fq, Fq2, G2Affine};
use halo2curves::ff::PrimeField as _;
use halo2curves::group::UncompressedEncoding as _;

use super::*;
use crate::snark::{accumulators, encoding};

/// Of the first bytes, which say sizes, and of all others every so many.
fn assert_flipped_bytes_are_refused(of_first: usize, of_middle: usize, of_last: usize) {
    let bytes = SETUP.verifier.to_bytes();
    let read = |bytes: &[u8]| Key::from_bytes(bytes, Spec::reference().unwrap()).map(|key| key.digest());
    let last = bytes.len() - 400;
    for index in (0..200)
        .step_by(of_first)
        .chain((200..last).step_by(bytes.len() / of_middle))
        .chain((last..bytes.len()).step_by(of_last))
    {
        let mut flipped = bytes.clone();
        flipped[index] ^= 1 << (index % 8);
        assert!(read(&flipped).is_err(), "byte {index}");
    }
    for length in (0..bytes.len()).step_by(bytes.len() / of_middle) {
        assert!(read(&bytes[..length]).is_err(), "{length} bytes");
    }
    assert!(read(&[bytes.as_slice(), &[0]].concat()).is_err());
}

#[test]
fn no_flipped_byte_in_a_sample_of_a_verifiers_key_is_the_key() {
    assert_flipped_bytes_are_refused(5, 20, 23);
}

#[test]
#[ignore = "long: reads a key for each of hundreds of bytes"]
fn no_flipped_byte_of_a_verifiers_key_is_the_key() {
    assert_flipped_bytes_are_refused(1, 60, 7);
}

#[test]
fn a_verifiers_key_with_more_generators_than_it_needs_is_refused() {
    let mut bytes = SETUP.verifier.to_bytes();
    let count = SETUP.verifier.accumulators.generators().len();
    // Behind the generators are the base and the digest, which is of those that are needed.
    let end = bytes.len() - 2 * encoding::ELEMENT_BYTES;
    let start = end - count * encoding::ELEMENT_BYTES;
    let longer = u32::try_from(count + 1).unwrap().to_le_bytes();
    bytes[start - 4..start].copy_from_slice(&longer);
    let generator: Vec<u8> = bytes[start..start + encoding::ELEMENT_BYTES].to_vec();
    bytes.splice(end..end, generator);
    let refused = Key::from_bytes(&bytes, Spec::reference().unwrap());
    assert!(matches!(refused.map(|_| ()), Err(KeyError::Digest)));
}

#[test]
fn a_verifiers_key_over_a_point_outside_of_the_second_group_is_refused() {
    // Nearly all points of this curve have another order than the prime.
    let mut abscissas = std::iter::successors(Some(Fq2::ONE), |x| Some(x + Fq2::ONE));
    let outside = abscissas.find_map(|x| {
        let y: Option<Fq2> = (x.square() * x + G2Affine::b()).sqrt().into();
        G2Affine::from_xy(x, y?).into()
    });
    let honest = &SETUP.verifier.accumulators;
    let (primary, secondary) = (&SETUP.pp.parameters.primary, &SETUP.pp.parameters.secondary);
    let mut powers = *honest.powers();
    powers.tau_g2 = outside.unwrap();
    let generators = honest.generators();
    let (relation, relaxed) = (Arc::clone(&primary.relation), Arc::clone(&secondary.relaxed));
    let other = accumulators::VerifierKey::new(relation, relaxed, powers, generators, honest.base());
    // The digest is its own: nothing but the point is wrong with it.
    let key = Key { accumulators: Arc::new(other.unwrap()), ..SETUP.verifier.clone() };
    let refused = Key::from_bytes(&key.to_bytes(), Spec::reference().unwrap());
    assert!(matches!(refused.map(|_| ()), Err(KeyError::Bytes(encoding::Error::Point))));
}

#[test]
fn a_point_of_the_second_group_has_one_writing() {
    let honest = SETUP.verifier.to_bytes();
    let written = SETUP.verifier.accumulators.powers().tau_g2.to_uncompressed();
    let start = honest.windows(written.as_ref().len()).position(|bytes| bytes == written.as_ref()).unwrap();
    for number in 0..4 {
        let mut bytes = honest.clone();
        add_modulus(&mut bytes[start + number * encoding::ELEMENT_BYTES..][..encoding::ELEMENT_BYTES]);
        let refused = Key::from_bytes(&bytes, Spec::reference().unwrap());
        assert!(
            matches!(refused.map(|_| ()), Err(KeyError::Bytes(encoding::Error::Scalar))),
            "number {number}"
        );
    }
}

/// Of the base field of both groups' coordinates, to a number below it.
fn add_modulus(number: &mut [u8]) {
    let mut carry = 1;
    for (byte, less_one) in number.iter_mut().zip((-Fq::ONE).to_repr().as_ref()) {
        let [low, high] = (u16::from(*byte) + u16::from(*less_one) + carry).to_le_bytes();
        (*byte, carry) = (low, u16::from(high));
    }
}

#[test]
fn a_verifiers_key_of_other_arities_or_constants_is_refused() {
    let bytes = SETUP.verifier.to_bytes();
    let arity = VerifierKey::<1, 2, Ro>::from_bytes(&bytes, Spec::reference().unwrap());
    assert!(matches!(arity.map(|_| ()), Err(KeyError::Arity)));
    let oracle = Key::from_bytes(&bytes, Spec::new(8, 61).unwrap());
    assert!(matches!(oracle.map(|_| ()), Err(KeyError::Oracle)));
}
