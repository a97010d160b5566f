//! The ladder: no step of it divides by zero, and each of its rows is needed.

use halo2curves::bn256::{self, Fr};
use halo2curves::ff::{Field as _, PrimeField};
use halo2curves::group::Curve as _;

use super::super::super::integer;
use super::super::NativeCurve;
use super::ladder_model::Model;
use super::{Grumpkin, multiplication, point, turned};

/// The bits of a curve's ladder, in integers modulo the order: whatever the bits, none meets equal or opposite points.
fn no_step_is_exceptional<C: NativeCurve>() {
    let offset = C::OFFSET;
    let scalar = C::ScalarExt::from_u128;
    let (zero, one) = (C::ScalarExt::ZERO, C::ScalarExt::ONE);
    // phi(T) = z T, and -a T + b phi(T) is the identity.
    let b = scalar(1 << 127).double() + one + scalar(offset.g).double();
    let z = scalar(offset.a) * b.invert().unwrap();
    assert_eq!(z.square() + z + one, zero);
    for point in [C::generator(), point(4)] {
        assert_eq!((point * z).to_affine(), turned(point));
    }

    // Whether some u in least..least + count, of integers, is this residue.
    let residue_is_in = |residue: C::ScalarExt, least: C::ScalarExt, count: C::ScalarExt| {
        integer::words(&(residue - least)).iter().rev().lt(integer::words(&count).iter().rev())
    };
    let power = |exponent: usize| scalar(2).pow_vartime([exponent as u64]);
    let high = |number: u128, k: usize| number.checked_shr(128 - u32::try_from(k).unwrap()).unwrap_or(0);
    let mut v = scalar(2);
    for k in 0..128 {
        let i = 127 - k;
        // u is in least..least + 2^k; e in -a_i..=1 - a_i. Both signs of e are covered by a wider interval of both.
        let least = -scalar(high(offset.a, k)) - one;
        let count = power(k) + scalar(2);
        let f = if offset.g >> i & 1 == 1 { one } else { -one };
        for sign in [one, -one] {
            assert!(!residue_is_in(-(v - sign * f) * z, least, count), "A = {sign:?} D at bit {k}");
        }
        v = v.double() + f;
        let (least, count) = (-scalar(high(offset.a, k + 1)), power(k + 1));
        let identity = residue_is_in(-v * z, least, count);
        assert_eq!(identity, k == 127, "2 A + D is the identity at bit {k}");
    }
    // The last accumulator is the identity for u = -a alone, which is s = 0.
    assert_eq!(-v * z, -scalar(offset.a));
}

#[test]
fn no_step_of_either_ladder_meets_equal_or_opposite_points() {
    no_step_is_exceptional::<Grumpkin>();
    no_step_is_exceptional::<bn256::G1Affine>();
}

#[test]
fn each_row_of_a_ladder_refuses_what_no_other_does() {
    let scalar = 0x1234_5678_9abc_def0_0fed_cba9_8765_4321;
    let (built, start) = multiplication(scalar, point(1));
    let (x, y, tangent) = (start, start + 1, start + 5);
    let (slopes, last) = (start + 6, start + 6 + 256);
    let is_finite = last + 2;
    // The result follows the last accumulator, so that only the ladder can refuse it.
    let finish = |dishonest: &mut Vec<Fr>| {
        (dishonest[is_finite + 1], dishonest[is_finite + 2]) = (dishonest[last], dishonest[last + 1]);
    };
    let mut dishonest = built.vector.clone();
    dishonest[last] += Fr::ONE;
    finish(&mut dishonest);
    built.assert_refused_only_by("ladder, last bit", 1, &dishonest);
    let mut dishonest = built.vector.clone();
    dishonest[last + 1] += Fr::ONE;
    finish(&mut dishonest);
    built.assert_refused_only_by("ladder, last bit", 2, &dishonest);

    // From some bit on, a prover who may break one row of it continues honestly from another accumulator.
    let model = Model { vector: &built.vector, scalar, x: built.vector[x], y: built.vector[y] };
    for (bit_index, row) in [(0, 0), (0, 1), (1, 0), (1, 1), (77, 0), (77, 1), (127, 0)] {
        let mut dishonest = model.with_a_broken_row(bit_index, row, tangent, slopes, last);
        finish(&mut dishonest);
        let group = if bit_index == 127 { "ladder, last bit" } else { "ladder, bit" };
        built.assert_refused_only_by(group, row, &dishonest);
    }
    let mut dishonest = model.with_another_tangent(tangent, slopes, last);
    finish(&mut dishonest);
    built.assert_refused_only_by("ladder, start", 0, &dishonest);
    let mut dishonest = model.started_elsewhere(slopes, last);
    finish(&mut dishonest);
    built.assert_refused_only_by("ladder, start", 1, &dishonest);
}
