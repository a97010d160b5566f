//! Powers-of-tau files: a good one works, and each kind of bad one is refused with its reason.

use crate::support::ptau::{Sections, file, sections, valid, write};
use halo2_axiom::halo2curves::{
    bn256::{Fq2, Fr, G1Affine, G2Affine},
    ff::Field,
    group::Curve,
    serde::SerdeObject,
};
use poseidon::Srs;

const POINT: usize = 64;

fn refusal(name: &str, bytes: &[u8]) -> String {
    Srs::from_ptau(&write(name, bytes)).unwrap_err().to_string()
}

/// The refusal of a file whose sections were changed.
fn refusal_of(name: &str, change: impl FnOnce(&mut Sections)) -> String {
    let mut sections = sections(Fr::from(12345), 5);
    change(&mut sections);
    refusal(name, &file(&sections))
}

fn put(section: &mut [u8], index: usize, point: &[u8]) {
    section[index * point.len()..][..point.len()].copy_from_slice(point);
}

#[test]
fn a_file_with_more_powers_and_other_sections_is_accepted() {
    Srs::from_ptau(&write("valid", &valid(12345))).unwrap();
    let mut more = sections(Fr::from(12345), 6);
    more.insert(0, (7, vec![1; 100]));
    more.reverse();
    Srs::from_ptau(&write("more", &file(&more))).unwrap();
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Srs::from_ptau("/nowhere/at/all.ptau".as_ref()).unwrap_err().to_string();
    assert!(error.contains("/nowhere/at/all.ptau"), "{error}");
}

#[test]
fn a_file_of_another_kind_or_version_is_refused() {
    assert!(refusal("kind", b"zkey\x01\0\0\0\0\0\0\0").contains("does not start with \"ptau\""));
    assert!(refusal("version", b"ptau\x02\0\0\0\0\0\0\0").contains("version is 2"));
    assert!(refusal("many", b"ptau\x01\0\0\0\xff\xff\xff\xff").contains("claims 4294967295 sections"));
    let length = b"ptau\x01\0\0\0\x01\0\0\0\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff";
    assert!(refusal("length", length).contains("claims 18446744073709551615 bytes"));
}

#[test]
fn a_file_cut_off_anywhere_is_refused() {
    let valid = valid(12345);
    let used = 12 + 12 + 44 + 12 + 32 * POINT;
    for length in [0, 3, 4, 11, 12, 20, 30, used - 1, valid.len() - 31 * 2 * POINT] {
        assert!(Srs::from_ptau(&write("cut", &valid[..length])).is_err(), "first {length} bytes");
    }
}

#[test]
fn a_header_that_does_not_fit_is_refused() {
    assert!(refusal_of("curve", |s| s[0].1[4] ^= 1).contains("not over BN254"));
    assert!(refusal_of("size", |s| s[0].1[0] = 48).contains("not over BN254"));
    assert!(
        refusal_of("power", |s| s[0].1[36] = 4).contains("its power is 4, and 2^power must be at least 32")
    );
    assert!(refusal_of("missing", |s| drop(s.remove(2))).contains("one of the sections 1, 2, 3 is missing"));
    assert!(refusal_of("twice", |s| s.push((2, vec![]))).contains("section 2 is there twice"));
    assert!(refusal_of("short", |s| s[1].1.truncate(31 * POINT)).contains("too short"));
}

#[test]
fn points_that_are_not_the_powers_of_one_secret_are_refused() {
    let other = (G1Affine::generator() * Fr::from(99)).to_affine().to_raw_bytes();
    for index in [1, 2, 17, 31] {
        let refusal = refusal_of("powers", |s| put(&mut s[1].1, index, &other));
        assert!(refusal.contains("not the powers of one number"), "{index}: {refusal}");
    }
    assert!(refusal_of("start", |s| put(&mut s[1].1, 0, &other)).contains("do not start at the generators"));
    let other = (G2Affine::generator() * Fr::from(99)).to_affine().to_raw_bytes();
    assert!(refusal_of("tau", |s| put(&mut s[2].1, 1, &other)).contains("not the powers of one number"));
    assert!(refusal_of("start2", |s| put(&mut s[2].1, 0, &other)).contains("do not start at the generators"));
    for tau in [Fr::ONE, Fr::ZERO] {
        let refusal = refusal("trivial", &file(&sections(tau, 5)));
        assert!(refusal.contains("its secret is 0 or 1"), "{refusal}");
    }
}

#[test]
fn points_that_are_not_points_are_refused() {
    assert!(refusal_of("curve1", |s| s[1].1[3 * POINT] ^= 1).contains("unusable"));
    assert!(refusal_of("coordinate", |s| s[1].1[3 * POINT..4 * POINT].fill(0xff)).contains("unusable"));
    assert!(refusal_of("curve2", |s| s[2].1[2 * POINT] ^= 1).contains("unusable"));
}

#[test]
fn a_point_of_the_twist_outside_the_group_is_refused() {
    let outside = point_outside_g2().to_raw_bytes();
    assert!(refusal_of("group", |s| put(&mut s[2].1, 1, &outside)).contains("a point is not in G2"));
}

/// A point of the curve over Fq2 that G2 is a small part of: the first with a small x.
fn point_outside_g2() -> G2Affine {
    let generator = G2Affine::generator();
    let b = generator.y.square() - generator.x.square() * generator.x;
    let mut x = Fq2::ONE;
    loop {
        let y = Option::<Fq2>::from((x.square() * x + b).sqrt());
        if let Some(y) = y {
            return G2Affine { x, y };
        }
        x += Fq2::ONE;
    }
}
