//! Additions and multiplications as Ethereum's precompiled contracts have them (EIP-196: 256-bit big-endian numbers,
//! (0, 0) for the identity, scalars of any size), with points of the kinds that its clients test: arkworks has the
//! results. And what EIP-196 refuses, the library refuses as bases.

use halo2curves::{
    bn256::{Fq, Fr, G1Affine},
    ff::{FromUniformBytes, PrimeField},
    group::{Curve, prime::PrimeCurveAffine},
};
use zkaccel::{Bases, BasesOptions, Buffer, Status, limbs};

use crate::{contexts::for_each_isa, twins::TwinPoint};

fn number(hexadecimal: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    let digits = format!("{hexadecimal:0>64}");
    for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    }
    bytes
}

fn coordinate(hexadecimal: &str) -> Fq {
    let mut bytes = number(hexadecimal);
    bytes.reverse();
    Fq::from_repr(bytes.into()).unwrap()
}

/// A scalar of 256 bits, of which only its remainder modulo r matters.
fn scalar(hexadecimal: &str) -> Fr {
    let mut bytes = [0; 64];
    bytes[..32].copy_from_slice(&number(hexadecimal));
    bytes[..32].reverse();
    Fr::from_uniform_bytes(&bytes)
}

const ORDER: &str = "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001";
const ORDER_LESS_ONE: &str = "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000000";
const ORDER_AND_ONE: &str = "30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000002";
const ALL_BITS: &str = "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff";
const MODULUS: &str = "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47";

/// Twice the generator, as EIP-196's clients have it.
fn twice() -> G1Affine {
    G1Affine {
        x: coordinate("030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3"),
        y: coordinate("15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4"),
    }
}

#[test]
fn twice_the_generator_is_the_published_point() {
    let generator = G1Affine::generator();
    for_each_isa(|context| {
        let sum = context.msm_once(&[generator, generator], &[Fr::one(), Fr::one()]).unwrap();
        assert_eq!(sum.to_affine(), twice());
        let product = context.msm_once(&[generator], &[Fr::from(2)]).unwrap();
        assert_eq!(product.to_affine(), twice());
    });
}

#[test]
fn additions_of_every_kind_of_points_are_those_of_arkworks() {
    let (generator, identity) = (G1Affine::generator(), G1Affine::identity());
    let far = (generator * scalar("9a7b3c5d1e2f")).to_affine();
    let points = [identity, generator, -generator, twice(), -twice(), far, -far];
    for (a, b) in points.iter().flat_map(|&a| points.map(|b| (a, b))) {
        let expected = G1Affine::sum(&[a, b], &[Fr::one(), Fr::one()]);
        for_each_isa(|context| {
            let sum = context.msm_once(&[a, b], &[Fr::one(), Fr::one()]).unwrap();
            assert_eq!(sum.to_affine(), expected);
        });
    }
}

#[test]
fn multiplications_by_scalars_at_every_edge_are_those_of_arkworks() {
    let far = (G1Affine::generator() * scalar("c0ffee")).to_affine();
    let half = "80000000000000000000000000000000";
    for by in ["0", "1", "2", "9", half, ORDER_LESS_ONE, ORDER, ORDER_AND_ONE, MODULUS, ALL_BITS] {
        let by = scalar(by);
        for point in [G1Affine::identity(), G1Affine::generator(), twice(), far] {
            let expected = G1Affine::sum(&[point], &[by]);
            for_each_isa(|context| {
                assert_eq!(context.msm_once(&[point], &[by]).unwrap().to_affine(), expected);
            });
        }
    }
    assert_eq!(scalar(ORDER), Fr::zero());
    assert_eq!(scalar(ORDER_AND_ONE), Fr::one());
}

#[test]
fn points_that_the_precompiles_refuse_are_refused_as_bases() {
    let element = |limbs: [u64; 4]| limbs::Fq(limbs);
    let of = |number: &str| element(coordinate(number).0);
    // Limbs as they are: none of these is below the modulus.
    let modulus =
        element([0x3c20_8c16_d87c_fd47, 0x9781_6a91_6871_ca8d, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029]);
    let most = element([u64::MAX; 4]);
    let (zero, one, two) = (of("0"), of("1"), of("2"));
    let cases = [
        (one, one, Status::NotOnCurve),
        (zero, one, Status::NotOnCurve),
        (one, zero, Status::NotOnCurve),
        (two, two, Status::NotOnCurve),
        (one, of("30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd46"), Status::NotOnCurve),
        (modulus, two, Status::NonCanonical),
        (one, modulus, Status::NonCanonical),
        (modulus, modulus, Status::NonCanonical),
        (most, two, Status::NonCanonical),
        (one, most, Status::NonCanonical),
    ];
    for_each_isa(|context| {
        for (x, y, status) in cases {
            let points = [limbs::G1Affine { x: one, y: two }, limbs::G1Affine { x, y }];
            let error = Bases::new(context, &points, BasesOptions::default()).unwrap_err();
            assert_eq!((error.status(), error.bad_index()), (status, Some(1)), "{x:x?} {y:x?}");
        }
        let identity =
            Bases::new(context, &[limbs::G1Affine { x: zero, y: zero }], BasesOptions::default()).unwrap();
        let sum = identity.msm(&Buffer::of(context, &[limbs::Fr(Fr::one().0)]).unwrap()).unwrap();
        assert_eq!(sum.z, zero);
    });
}
