use halo2curves::bn256::{Fq, Fr, G1Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Curve;
use halo2curves::{CurveAffine, grumpkin};
use rand_core::RngCore;

use super::{
    Error, Reader, point_bytes, write_length, write_number, write_points, write_scalar_list, write_scalars,
};
use crate::snark::testing::{bit_flips, random_points, random_scalars, rng};
use crate::snark::{hyperkzg, ipa, sumcheck};

const IDENTITY: u8 = 1 << 6;
const ODD: u8 = 1 << 7;

fn point<C: CurveAffine>(bytes: &[u8]) -> Result<C, Error> {
    let mut reader = Reader::new(bytes);
    let point = reader.point()?;
    reader.finish()?;
    Ok(point)
}

/// The modulus of `F` plus `add`, least byte first.
fn modulus_plus<F: PrimeField>(add: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes.copy_from_slice((-F::ONE).to_repr().as_ref());
    let mut carry = u16::from(add) + 1;
    for byte in &mut bytes {
        carry += u16::from(*byte);
        *byte = carry.to_le_bytes()[0];
        carry >>= 8;
    }
    bytes
}

#[test]
fn distinguishes_another_version_from_a_length() {
    let version = |bytes: &[u8]| Reader::new(bytes).version(1);
    assert_eq!(version(&[1, 9]), Ok(()));
    assert_eq!(version(&[165, 9]), Err(Error::Version { found: 165, wanted: 1 }));
    assert_eq!(version(&[]), Err(Error::Truncated));
}

#[test]
fn more_elements_than_the_bytes_hold_are_refused_before_the_first_is_read() {
    // No scalar and no point.
    let bytes = [0xff; 64];
    assert_eq!(Reader::new(&bytes).scalars::<Fr>(2), Err(Error::Scalar));
    assert_eq!(Reader::new(&bytes).scalars::<Fr>(3), Err(Error::Truncated));
    assert_eq!(Reader::new(&bytes).points::<G1Affine>(2), Err(Error::Point));
    assert_eq!(Reader::new(&bytes).points::<G1Affine>(usize::MAX), Err(Error::Truncated));
}

#[test]
fn scalars_and_points_read_back() {
    let rng = &mut rng(1);
    let scalars: Vec<Fr> = random_scalars(rng, 5);
    let mut points: Vec<G1Affine> = random_points(rng, 5);
    points.push(G1Affine::default());
    let mut bytes = Vec::new();
    write_length(&mut bytes, 5);
    write_scalars(&mut bytes, &scalars);
    write_points(&mut bytes, &points);
    assert_eq!(bytes.len(), 1 + 32 * 11);
    let mut reader = Reader::new(&bytes);
    assert_eq!(reader.length(0, 5), Ok(5));
    assert_eq!(reader.scalars(5), Ok(scalars));
    assert_eq!(reader.points(6), Ok(points));
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn a_scalar_at_or_above_the_modulus_is_refused() {
    fn check<F: PrimeField>() {
        for add in [0, 1, 5] {
            assert_eq!(Reader::new(&modulus_plus::<F>(add)).scalar::<F>(), Err(Error::Scalar));
        }
        assert_eq!(Reader::new(&[0xff; 32]).scalar::<F>(), Err(Error::Scalar));
    }
    check::<Fr>();
    check::<Fq>();
}

fn refuses_points_that_are_not_canonical<C: CurveAffine>() {
    let mut zero_without_flag = [0; 32];
    assert_eq!(point::<C>(&zero_without_flag), Err(Error::Point));
    zero_without_flag[31] = ODD;
    assert_eq!(point::<C>(&zero_without_flag), Err(Error::Point));

    let identity = point_bytes(&C::identity());
    assert_eq!(identity[31], IDENTITY);
    assert_eq!(point::<C>(&identity), Ok(C::identity()));
    for flipped in bit_flips(&identity) {
        assert_ne!(point(&flipped), Ok(C::identity()), "{flipped:?}");
    }
    let mut odd_identity = identity;
    odd_identity[31] |= ODD;
    assert_eq!(point::<C>(&odd_identity), Err(Error::Point));
    let mut identity_with_x = point_bytes(&random_points::<C>(&mut rng(2), 1)[0]);
    identity_with_x[31] |= IDENTITY;
    assert_eq!(point::<C>(&identity_with_x), Err(Error::Point));

    // x + p of the points with the smallest x: the same point, were x reduced.
    for add in 0..=32 {
        for flags in [0, ODD, IDENTITY, IDENTITY | ODD] {
            let mut above = modulus_plus::<C::Base>(add);
            above[31] |= flags;
            assert_eq!(point::<C>(&above), Err(Error::Point), "x = {add}, flags {flags}");
        }
    }
}

#[test]
fn an_identity_with_a_sign_or_an_x_and_an_x_above_the_modulus_are_refused() {
    refuses_points_that_are_not_canonical::<G1Affine>();
    refuses_points_that_are_not_canonical::<grumpkin::G1Affine>();
}

#[test]
fn the_flag_of_a_point_is_the_parity_of_its_y() {
    for random in random_points::<G1Affine>(&mut rng(3), 8) {
        let bytes = point_bytes(&random);
        assert_eq!(bytes[31] & ODD != 0, random.y.to_repr().as_ref()[0] & 1 == 1);
        let mut other_sign = bytes;
        other_sign[31] ^= ODD;
        assert_eq!(point(&other_sign), Ok(-random));
    }
}

#[test]
fn a_flipped_bit_gives_an_error_or_another_point_that_writes_the_flipped_bytes() {
    let random: G1Affine = random_points(&mut rng(4), 1)[0];
    let mut refused = 0;
    for flipped in bit_flips(&point_bytes(&random)) {
        match point::<G1Affine>(&flipped) {
            Ok(other) => {
                assert_ne!(other, random);
                assert_eq!(point_bytes(&other)[..], flipped[..]);
            }
            Err(error) => {
                assert_eq!(error, Error::Point);
                refused += 1;
            }
        }
    }
    assert!(refused > 64, "about half of all x belong to no point, {refused} of 256 were refused");
}

#[test]
fn coordinates_off_the_curve_write_what_no_reader_takes() {
    let off_curve = G1Affine { x: Fq::ONE, y: Fq::ONE };
    assert_eq!(point_bytes(&off_curve), [0xff; 32]);
    assert_eq!(point::<G1Affine>(&[0xff; 32]), Err(Error::Point));
}

#[test]
fn lengths_outside_of_their_bounds_are_refused() {
    let found = |found| Err(Error::Length { found, least: 2, most: 4 });
    assert_eq!(Reader::new(&[1]).length(2, 4), found(1));
    assert_eq!(Reader::new(&[2]).length(2, 4), Ok(2));
    assert_eq!(Reader::new(&[4]).length(2, 4), Ok(4));
    assert_eq!(Reader::new(&[5]).length(2, 4), found(5));
    let mut long = Vec::new();
    write_length(&mut long, 300);
    assert_eq!(Reader::new(&long).length(2, 4), found(255));
}

#[test]
fn a_number_or_a_list_above_its_cap_is_refused() {
    let above = |found, most| Error::Length { found, least: 0, most };
    let mut number = Vec::new();
    write_number(&mut number, 1 << 24);
    assert_eq!(Reader::new(&number).number(1 << 24), Ok(1 << 24));
    assert_eq!(Reader::new(&number).number((1 << 24) - 1), Err(above(1 << 24, (1 << 24) - 1)));
    let mut list = Vec::new();
    write_scalar_list(&mut list, &[Fr::ONE; 2]);
    assert_eq!(Reader::new(&list).scalar_list(2), Ok(vec![Fr::ONE; 2]));
    assert_eq!(Reader::new(&list).scalar_list::<Fr>(1), Err(above(2, 1)));
    // By what it says, before an element is read.
    assert_eq!(Reader::new(&[1, 16]).scalar_list::<Fr>(4096), Err(above(4097, 4096)));
}

#[test]
fn bytes_that_end_early_or_late_are_refused() {
    let bytes = point_bytes(&random_points::<G1Affine>(&mut rng(5), 1)[0]);
    for end in 0..bytes.len() {
        assert_eq!(point::<G1Affine>(&bytes[..end]), Err(Error::Truncated));
        assert_eq!(Reader::new(&bytes[..end]).scalar::<Fr>(), Err(Error::Truncated));
    }
    let mut longer = bytes.to_vec();
    longer.push(0);
    assert_eq!(point::<G1Affine>(&longer), Err(Error::Trailing { bytes: 1 }));
    assert_eq!(Reader::new(&[]).length(0, 1), Err(Error::Truncated));
}

#[test]
fn a_point_has_the_coordinates_that_arkworks_gives_it() {
    use ark_ec::{AffineRepr, CurveGroup};
    use ark_ff::PrimeField as _;
    use ark_serialize::CanonicalSerialize;

    for scalar in random_scalars::<Fr>(&mut rng(6), 8) {
        let ours = point_bytes(&(G1Affine::generator() * scalar).to_affine());
        let scalar = ark_bn254::Fr::from_le_bytes_mod_order(scalar.to_repr().as_ref());
        let theirs = (ark_bn254::G1Affine::generator() * scalar).into_affine();
        let mut x_and_y = Vec::new();
        theirs.serialize_uncompressed(&mut x_and_y).unwrap();
        let mut expected = x_and_y[..32].to_vec();
        expected[31] |= x_and_y[32] << 7;
        assert_eq!(ours[..], expected[..]);
    }
}

#[test]
fn random_bytes_are_read_without_a_panic() {
    let rng = &mut rng(7);
    for round in 0..2000 {
        let mut bytes = vec![0; round % 300];
        rng.fill_bytes(&mut bytes);
        // Lengths that are in bounds, so that reading continues.
        bytes.iter_mut().take(2).for_each(|byte| *byte %= 4);
        assert!(sumcheck::Proof::<Fr>::from_bytes(&bytes).is_err() || bytes.len() % 32 == 2);
        assert!(hyperkzg::Proof::from_bytes(&bytes).is_err() || bytes.len() % 32 == 1);
        assert!(ipa::Proof::<grumpkin::G1Affine>::from_bytes(&bytes).is_err() || bytes.len() % 32 == 1);
    }
}
