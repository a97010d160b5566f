use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use halo2curves::CurveAffine;
use halo2curves::bn256::{self, Fr};
use halo2curves::ff::PrimeField;
use halo2curves::group::{Curve as _, prime::PrimeCurveAffine as _};
use halo2curves::grumpkin;

use super::super::Short;
use super::super::integer;
use super::super::testing::{Built, Cost, assigned, build, committed, random};
use super::*;

type Grumpkin = grumpkin::G1Affine;

fn point<C: NativeCurve>(number: u64) -> C {
    (C::generator() * random::<C::ScalarExt>(number)).to_affine()
}

/// `phi(T)`, whose height is that of `T`.
fn turned<C: NativeCurve>(point: C) -> C {
    let (x, y) = coordinates(point);
    C::from_xy(x * C::beta(), y).unwrap()
}

fn points<C: NativeCurve>() -> Vec<C> {
    let generator = C::generator();
    vec![
        C::identity(),
        generator,
        -generator,
        (generator + generator).to_affine(),
        turned(generator),
        point(1),
    ]
}

const SCALARS: [u128; 11] = [
    0,
    1,
    2,
    3,
    1 << 64,
    1 << 127,
    (1 << 127) - 1,
    u128::MAX,
    u128::MAX - 1,
    0x5555_5555_5555_5555_5555_5555_5555_5555,
    0xaaaa_aaaa_aaaa_aaaa_aaaa_aaaa_aaaa_aaaa,
];

fn multiplier<F: PrimeField>(circuit: &mut Circuit<F>, scalar: u128) -> Multiplier<F> {
    let scalar = circuit.witness(F::from_u128(scalar));
    let short = Short::new(circuit, &scalar);
    Multiplier::new(circuit, &short)
}

#[track_caller]
fn expect<C: NativeCurve>(point: &Point<C>, expected: C) {
    assert_eq!((point.x().value(), point.y().value()), coordinates(expected));
    assert_eq!(point.is_identity().value(), C::Base::from(u64::from(bool::from(expected.is_identity()))));
    assert_eq!(point.value(), expected);
}

/// Asserts of each circuit that it is satisfied, and of all that they have one shape.
fn assert_one_shape<F: PrimeField, T: Copy>(
    inputs: impl IntoIterator<Item = T>,
    circuit: impl Fn(&mut Circuit<F>, T),
) {
    let digests: BTreeSet<_> =
        inputs.into_iter().map(|input| build(|made| circuit(made, input)).relation.digest()).collect();
    assert_eq!(digests.len(), 1);
}

fn any_two_points_add_up<C: NativeCurve>() {
    let points = points::<C>();
    let pairs = points.iter().flat_map(|p| points.iter().map(|q| (*p, *q)));
    assert_one_shape(pairs, |circuit, (p, q)| {
        let (left, right) = (Point::<C>::assign(circuit, p), Point::assign(circuit, q));
        expect(&left.add(circuit, &right), (p + q).to_affine());
        expect(&left.add(circuit, &left), (p + p).to_affine());
        expect(&left.add(circuit, &left.negate()), C::identity());
        let sum = left.add(circuit, &right);
        expect(&sum.add(circuit, &Point::constant(C::generator())), ((p + q) + C::generator()).to_affine());
    });
}

#[test]
fn any_two_points_add_up_on_either_curve() {
    any_two_points_add_up::<Grumpkin>();
    any_two_points_add_up::<bn256::G1Affine>();
}

fn any_point_is_multiplied<C: NativeCurve>() {
    let points = points::<C>();
    let all = SCALARS.into_iter().flat_map(|scalar| {
        // The edges of scalars with every point, and the rest with one.
        let points = if scalar < 2 || scalar == u128::MAX { points.clone() } else { vec![point(3)] };
        points.into_iter().map(move |point| (scalar, point))
    });
    let random = (0..8).map(|number| (u128::from_le_bytes(random_bytes::<C>(number)), point(number)));
    assert_one_shape(all.chain(random), |circuit, (scalar, point)| {
        let multiplier = multiplier(circuit, scalar);
        let assigned = Point::<C>::assign(circuit, point);
        expect(
            &assigned.multiply(circuit, &multiplier),
            (point * C::ScalarExt::from_u128(scalar)).to_affine(),
        );
    });
}

fn random_bytes<C: NativeCurve>(number: u64) -> [u8; 16] {
    let element: C::ScalarExt = random(100 + number);
    element.to_repr().as_ref()[..16].try_into().unwrap()
}

#[test]
fn any_point_is_multiplied_by_any_short_number_on_either_curve() {
    any_point_is_multiplied::<Grumpkin>();
    any_point_is_multiplied::<bn256::G1Affine>();
}

#[test]
fn combinations_agree_with_the_curve() {
    type C = Grumpkin;
    let cases = [(point(1), point(2), 12_345), (C::identity(), point(2), 7), (point(1), point(1), 9)];
    assert_one_shape(cases, |circuit, (p, q, scalar)| {
        let multiplier = multiplier(circuit, scalar);
        let (left, right) = (Point::<C>::assign(circuit, p), Point::assign(circuit, q));
        let scalar = bn256::Fq::from_u128(scalar);
        expect(&left.add_multiple(circuit, &multiplier, &right), (p + q * scalar).to_affine());
        expect(&left.interpolate(circuit, &multiplier, &right), (p + (q + -p) * scalar).to_affine());
        let bit = circuit.bit(scalar.is_odd().into());
        let chosen = Point::choose(circuit, &bit, &left, &right);
        expect(&chosen, if bool::from(scalar.is_odd()) { p } else { q });
        chosen.enforce_equal(circuit, &Point { identity: Linear::zero(), ..chosen.clone() });
    });
}

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

fn no_point_has_a_coordinate_of_zero<C: NativeCurve>() {
    // A point with y = 0 would have order two, but the order is an odd prime.
    assert!(bool::from(C::b().sqrt().is_none()));
    assert_eq!(C::a(), C::Base::ZERO);
    assert_eq!(C::beta().square() + C::beta() + C::Base::ONE, C::Base::ZERO);
}

#[test]
fn no_point_of_either_curve_has_a_coordinate_of_zero() {
    no_point_has_a_coordinate_of_zero::<Grumpkin>();
    no_point_has_a_coordinate_of_zero::<bn256::G1Affine>();
}

#[test]
fn points_off_the_curve_are_refused() {
    let (x, y) = coordinates(Grumpkin::generator());
    let circuit = |circuit: &mut Circuit<Fr>, (x, y): (Fr, Fr)| {
        let (x, y) = (circuit.witness(x), circuit.witness(y));
        Point::<Grumpkin>::from_coordinates(circuit, x, y);
    };
    let built = build(|made| circuit(made, (x, y)));
    for (x, y) in [(x, y + Fr::ONE), (x + Fr::ONE, y), (Fr::ZERO, y), (x, Fr::ZERO), (Fr::ZERO, Fr::ONE)] {
        built.assert_refused_only_by(ON_CURVE, 0, &assigned(|made| circuit(made, (x, y))));
    }
    // A point that is said to be the identity, and one on y^2 = x^3 that is said to be.
    built.assert_refused_only_by(ON_CURVE, 1, &[Fr::ONE, Fr::from(4), Fr::from(8), Fr::ONE]);
    // Said to be the identity in part: (0, y) would pass for y^2 = b (1 - part).
    let part = Fr::ONE - Fr::from(9) * Grumpkin::b().invert().unwrap();
    built.assert_refused_only_by("digit below 2", 0, &[Fr::ONE, Fr::ZERO, Fr::from(3), part]);
    // The identity that is said to be none.
    built.assert_refused_only_by(ON_CURVE, 0, &[Fr::ONE, Fr::ZERO, Fr::ZERO, Fr::ZERO]);
}

/// An addition of two points; in its vector the coordinates and bits of both come first.
fn addition(p: Grumpkin, q: Grumpkin) -> Built<Fr> {
    build(|circuit: &mut Circuit<Fr>| {
        let (left, right) = (Point::assign(circuit, p), Point::assign(circuit, q));
        let _ = left.add(circuit, &right);
    })
}

/// Numbers of the values that an addition takes, after two points.
const INVERSE_OF_RUN: usize = 7;
const SAME_X: usize = 8;
const SLOPE: usize = 9;
const OPPOSITE: usize = 10;
const INVERSE_OF_HEIGHTS: usize = 11;
const GENERIC: usize = 12;
const X: usize = 13;
const Y: usize = 14;

#[test]
fn no_value_of_an_addition_is_free_but_those_that_nothing_uses() {
    let run = (INVERSE_OF_RUN, "the inverse of a difference of x that is 0");
    let heights = (INVERSE_OF_HEIGHTS, "the inverse of a sum of y that is 0");
    let slope = (SLOPE, "the slope of two identities");
    let (p, q) = (point::<Grumpkin>(1), point(2));
    addition(p, q).assert_each_value_is_bound(&[]);
    addition(p, Grumpkin::identity()).assert_each_value_is_bound(&[]);
    addition(Grumpkin::identity(), p).assert_each_value_is_bound(&[]);
    addition(p, p).assert_each_value_is_bound(&[run]);
    addition(p, -p).assert_each_value_is_bound(&[run, heights]);
    addition(p, -turned(p)).assert_each_value_is_bound(&[heights]);
    addition(Grumpkin::identity(), Grumpkin::identity()).assert_each_value_is_bound(&[run, slope, heights]);
}

#[test]
fn each_row_of_an_addition_refuses_what_no_other_does() {
    const ADDITION: &str = "complete addition";
    let (p, q) = (point::<Grumpkin>(1), point::<Grumpkin>(2));
    let with_slope = |built: &Built<Fr>, slope: Fr| {
        let mut dishonest = built.vector.clone();
        dishonest[SLOPE] = slope;
        dishonest[X] = slope.square() - dishonest[1] - dishonest[4];
        dishonest[Y] = slope * (dishonest[1] - dishonest[X]) - dishonest[2];
        dishonest
    };
    let generic = addition(p, q);
    generic.assert_refused_only_by(ADDITION, 0, &with_slope(&generic, Fr::from(5)));
    let double = addition(p, p);
    double.assert_refused_only_by(ADDITION, 1, &with_slope(&double, Fr::from(5)));
    // Two points that are said to be opposite, so that their sum would be the identity.
    let as_identity = |built: &Built<Fr>, opposite: u64, inverse: Fr| {
        let mut dishonest = built.vector.clone();
        dishonest[OPPOSITE] = Fr::from(opposite);
        dishonest[INVERSE_OF_HEIGHTS] = inverse;
        (dishonest[GENERIC], dishonest[X], dishonest[Y]) = (Fr::ONE - Fr::from(opposite), Fr::ZERO, Fr::ZERO);
        dishonest
    };
    double.assert_refused_only_by(ADDITION, 2, &as_identity(&double, 1, Fr::ZERO));
    let heights = (generic.vector[2] + generic.vector[5]).invert().unwrap();
    generic.assert_refused_only_by(ADDITION, 2, &as_identity(&generic, 1, -heights));
    let same_heights = addition(p, -turned(p));
    same_heights.assert_refused_only_by(ADDITION, 3, &as_identity(&same_heights, 1, Fr::ZERO));
    // Opposite points that are said not to be: a finite sum by the tangent.
    let opposite = addition(p, -p);
    let mut dishonest = with_slope(&opposite, opposite.vector[SLOPE]);
    (dishonest[OPPOSITE], dishonest[GENERIC]) = (Fr::ZERO, Fr::ONE);
    opposite.assert_refused_only_by(ADDITION, 3, &dishonest);
    // A sum that nothing decides, and sums that are something else.
    let mut dishonest = generic.vector.clone();
    (dishonest[GENERIC], dishonest[X], dishonest[Y]) = (Fr::ZERO, Fr::ZERO, Fr::ZERO);
    generic.assert_refused_only_by(ADDITION, 4, &dishonest);
    let mut dishonest = generic.vector.clone();
    dishonest[X] += Fr::ONE;
    dishonest[Y] = generic.vector[Y] - dishonest[SLOPE];
    generic.assert_refused_only_by(ADDITION, 5, &dishonest);
    let mut dishonest = generic.vector.clone();
    dishonest[Y] += Fr::ONE;
    generic.assert_refused_only_by(ADDITION, 6, &dishonest);
    // Points of one x that are said to differ in it, so that no slope is needed.
    let mut dishonest = with_slope(&double, Fr::from(5));
    (dishonest[SAME_X], dishonest[INVERSE_OF_HEIGHTS]) = (Fr::ONE, Fr::ZERO);
    double.assert_refused_only_by("product", 0, &dishonest);
}

/// A multiplication of a point, and where its variables begin in the vector.
fn multiplication(scalar: u128, point: Grumpkin) -> (Built<Fr>, usize) {
    let start = Cell::new(0);
    let built = build(|circuit: &mut Circuit<Fr>| {
        let multiplier = multiplier(circuit, scalar);
        let point = Point::<Grumpkin>::assign(circuit, point);
        start.set(1 + committed(circuit));
        let _ = point.multiply(circuit, &multiplier);
    });
    (built, start.get())
}

#[test]
fn no_value_of_a_multiplication_is_free_but_the_inverse_of_zero() {
    for scalar in [0, 1, u128::MAX, 0x1234_5678_9abc_def0_0fed_cba9_8765_4321] {
        for point in [point(1), Grumpkin::identity()] {
            let (built, start) = multiplication(scalar, point);
            // The scalar and its bits, the inverse, the product, the lowest bit, and the point come first.
            let inverse = (start - 6, "the inverse of a scalar of 0");
            built.assert_each_value_is_bound(if scalar == 0 { std::slice::from_ref(&inverse) } else { &[] });
        }
    }
}

#[test]
fn a_multiple_of_another_number_is_refused_by_each_kind_of_row() {
    let (built, start) = multiplication(5, point(1));
    let groups: RefCell<BTreeSet<String>> = RefCell::default();
    for index in start..built.vector.len() {
        let mut dishonest = built.vector.clone();
        dishonest[index] += Fr::ONE;
        groups.borrow_mut().extend(built.violated(&dishonest).into_iter().map(|(group, _)| group));
    }
    let expected = ["ladder, bit", "ladder, last bit", "ladder, start", "product", "zero"];
    assert_eq!(groups.into_inner(), BTreeSet::from(expected.map(str::to_owned)));
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

/// A ladder in numbers, where a prover may continue from any accumulator.
struct Model<'a> {
    vector: &'a [Fr],
    scalar: u128,
    x: Fr,
    y: Fr,
}

impl Model<'_> {
    fn addend(&self, bit_index: usize) -> (Fr, Fr) {
        let base = Grumpkin::from_xy(self.x, self.y).unwrap();
        let phi = turned(base);
        let bit = |number: u128| number >> (127 - bit_index) & 1;
        let e = i8::try_from(bit(self.scalar)).unwrap() - i8::try_from(bit(Grumpkin::OFFSET.a)).unwrap();
        let signed = if bit(Grumpkin::OFFSET.g) == 1 { phi } else { -phi };
        let sum = match e {
            0 => signed,
            1 => (base + signed).to_affine(),
            _ => (signed + -base).to_affine(),
        };
        coordinates(sum)
    }

    /// Slopes from this bit on, and the last accumulator, when the accumulator is (x, y): on no curve that has to be.
    fn continue_from(
        &self,
        vector: &mut [Fr],
        from: usize,
        (mut x, mut y): (Fr, Fr),
        slopes: usize,
        last: usize,
    ) {
        for bit_index in from..128 {
            let (dx, dy) = self.addend(bit_index);
            let first = (y - dy) * (x - dx).invert().unwrap();
            let sum_x = first.square() - x - dx;
            let second = y.double() * (x - sum_x).invert().unwrap() - first;
            (vector[slopes + 2 * bit_index], vector[slopes + 2 * bit_index + 1]) = (first, second);
            let next = second.square() - first.square() + dx;
            y = second * (x - next) - y;
            x = next;
        }
        (vector[last], vector[last + 1]) = (x, y);
    }

    fn accumulator(&self, before: usize, slopes: usize, tangent: Fr) -> (Fr, Fr) {
        let phi_x = self.x * Grumpkin::beta();
        let mut x = tangent.square() - phi_x.double();
        let mut y = tangent * (phi_x - x) - self.y;
        for bit_index in 0..before {
            let (first, second) =
                (self.vector[slopes + 2 * bit_index], self.vector[slopes + 2 * bit_index + 1]);
            let next = second.square() - first.square() + self.addend(bit_index).0;
            y = second * (x - next) - y;
            x = next;
        }
        (x, y)
    }

    fn with_a_broken_row(
        &self,
        bit_index: usize,
        row: usize,
        tangent: usize,
        slopes: usize,
        last: usize,
    ) -> Vec<Fr> {
        let mut vector = self.vector.to_vec();
        let (x, y) = self.accumulator(bit_index, slopes, self.vector[tangent]);
        let (dx, dy) = self.addend(bit_index);
        let mut first = (y - dy) * (x - dx).invert().unwrap();
        if row == 0 {
            // Another first line; the second one still has the true y.
            first += Fr::ONE;
        }
        let second = y.double() * (x.double() + dx - first.square()).invert().unwrap() - first;
        let next = second.square() - first.square() + dx;
        // Another height of the next accumulator, which the next bit's slopes claim.
        let height = second * (x - next) - y + if row == 1 { Fr::ONE } else { Fr::ZERO };
        (vector[slopes + 2 * bit_index], vector[slopes + 2 * bit_index + 1]) = (first, second);
        if bit_index == 127 {
            (vector[last], vector[last + 1]) = (next, height);
        } else {
            self.continue_from(&mut vector, bit_index + 1, (next, height), slopes, last);
        }
        vector
    }

    fn with_another_tangent(&self, tangent: usize, slopes: usize, last: usize) -> Vec<Fr> {
        let mut vector = self.vector.to_vec();
        vector[tangent] += Fr::ONE;
        let start = self.accumulator(0, slopes, vector[tangent]);
        self.continue_from(&mut vector, 0, start, slopes, last);
        vector
    }

    fn started_elsewhere(&self, slopes: usize, last: usize) -> Vec<Fr> {
        let mut vector = self.vector.to_vec();
        let phi_x = self.x * Grumpkin::beta();
        let tangent = phi_x.square() * Fr::from(3) * self.y.double().invert().unwrap();
        let (x, y) = self.accumulator(0, slopes, tangent);
        self.continue_from(&mut vector, 0, (x, y + Fr::ONE), slopes, last);
        vector
    }
}

#[test]
fn a_multiple_of_the_identity_or_by_zero_that_is_not_the_identity_is_refused() {
    for (scalar, point) in [(0, point(1)), (9, Grumpkin::identity())] {
        let (built, start) = multiplication(scalar, point);
        let (last, is_finite) = (start + 6 + 256, start + 6 + 256 + 2);
        let mut dishonest = built.vector.clone();
        dishonest[is_finite] = Fr::ONE;
        (dishonest[is_finite + 1], dishonest[is_finite + 2]) = (dishonest[last], dishonest[last + 1]);
        built.assert_refused_only_by("product", 0, &dishonest);
    }
}

#[test]
fn what_points_take() {
    type Gadget = fn(&mut Circuit<Fr>, &Point<Grumpkin>, &Point<Grumpkin>, &Multiplier<Fr>);
    let cost = |gadget: Gadget| {
        let given = Cell::new(0);
        build(|circuit: &mut Circuit<Fr>| {
            let multiplier = multiplier(circuit, 0x1234_5678_9abc_def0_0fed_cba9_8765_4321);
            let (p, q) = (Point::assign(circuit, point(1)), Point::assign(circuit, point(2)));
            given.set(committed(circuit));
            gadget(circuit, &p, &q, &multiplier);
        })
        .cost(given.get())
    };
    assert_eq!(
        cost(|circuit, _, _, _| drop(multiplier(circuit, 3 << 120))),
        Cost { full: 1, medium: 1, small: 130 }
    );
    assert_eq!(
        cost(|circuit, _, _, _| drop(Point::<Grumpkin>::assign(circuit, point(3)))),
        Cost { full: 2, medium: 0, small: 1 }
    );
    assert_eq!(cost(|circuit, p, q, _| drop(p.add(circuit, q))), Cost { full: 4, medium: 0, small: 4 });
    assert_eq!(
        cost(|circuit, p, _, m| drop(p.multiply(circuit, m))),
        Cost { full: 266, medium: 0, small: 1 }
    );
    let multiple =
        |circuit: &mut Circuit<Fr>, p: &Point<_>, q: &Point<_>, m: &_| drop(p.add_multiple(circuit, m, q));
    assert_eq!(cost(multiple), Cost { full: 270, medium: 0, small: 5 });
    let interpolated =
        |circuit: &mut Circuit<Fr>, p: &Point<_>, q: &Point<_>, m: &_| drop(p.interpolate(circuit, m, q));
    assert_eq!(cost(interpolated), Cost { full: 274, medium: 0, small: 9 });
}

#[test]
fn rows_of_points_have_degree_three() {
    let (built, _) = multiplication(3, point(1));
    let ladders = built.relation.groups().iter().filter(|group| group.name().starts_with("ladder"));
    assert!(ladders.map(crate::relation::Group::degree).all(|degree| degree == 3));
    assert_eq!(addition(point(1), point(2)).relation.degree(), 3);
}
