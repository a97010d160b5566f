//! Arithmetic that agrees with the other field, and in which no value is free.

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::{Field as _, PrimeField};

use super::super::super::integer;
use super::super::super::limbs::LimbParameters;
use super::super::super::pack_limbs;
use super::super::super::testing::{build, random};
use super::super::{NonNative, Short, ShortLimbs};
use super::{R, short};
use crate::circuit::{Circuit, Linear};

/// The widths of limbs that the tests go through, with their counts: one, two and more columns a row.
const LIMBS: [(usize, usize); 6] = [(68, 4), (64, 4), (88, 3), (32, 10), (120, 3), (16, 16)];

fn elements<N: PrimeField>() -> Vec<N> {
    vec![N::ZERO, N::ONE, -N::ONE, N::from(2).pow_vartime([253]), random(5), random(6)]
}

fn shorts() -> Vec<u128> {
    vec![0, 1, 2, 1 << 127, u128::MAX, 0x5555_5555_5555_5555_5555_5555_5555_5555, 0x1234_5678_9abc_def0 << 60]
}

/// One circuit that does all arithmetic there is.
fn arithmetic<F: PrimeField, N: PrimeField>(
    circuit: &mut Circuit<F>,
    parameters: LimbParameters,
    (a, r, b): (N, u128, N),
) {
    let short = short(circuit, r, parameters);
    let (left, right) = (
        NonNative::<F, N>::assign_canonical(circuit, a, parameters),
        NonNative::assign(circuit, b, parameters),
    );
    let expect = |result: NonNative<F, N>, expected: N| {
        assert_eq!(result.value(), expected);
        let limbs: Vec<_> = result.limbs().iter().map(Linear::value).collect();
        assert_eq!(limbs, parameters.limbs(&integer::words(&expected), N::NUM_BITS as usize));
        let packed: Vec<_> = result.pack().iter().map(Linear::value).collect();
        assert_eq!(packed, pack_limbs::<F, N>(&expected, parameters));
    };
    let scalar = N::from_u128(r);
    expect(left.add_multiple(circuit, &short, &right), a + scalar * b);
    expect(left.add_short(circuit, &short), a + scalar);
    expect(left.add(circuit, &right), a + b);
    expect(left.add_product(circuit, &right, &right), a + b * b);
    let from_short = NonNative::<F, N>::from_short(&short);
    expect(from_short.clone(), scalar);
    right.enforce_canonical(circuit);
    for choice in [false, true] {
        let bit = circuit.bit(choice);
        let chosen = NonNative::choose(circuit, &bit, &left, &from_short);
        expect(chosen.clone(), if choice { a } else { scalar });
        chosen.enforce_equal(circuit, if choice { &left } else { &from_short });
    }
}

fn arithmetic_agrees<F: PrimeField, N: PrimeField>() {
    for (width, count) in LIMBS {
        let parameters = LimbParameters::new::<F, N>(width, count).unwrap();
        let mut digest = None;
        let elements = elements::<N>();
        for (index, short) in shorts().into_iter().enumerate() {
            for a in [elements[index % elements.len()], -N::ONE] {
                for b in [elements[(index + 2) % elements.len()], -N::ONE] {
                    let built =
                        build(|circuit: &mut Circuit<F>| arithmetic(circuit, parameters, (a, short, b)));
                    let of_this = built.relation.digest();
                    assert_eq!(*digest.get_or_insert(of_this), of_this);
                }
            }
        }
    }
}

#[test]
fn arithmetic_modulo_the_base_field_agrees_with_it_and_its_shape_is_always_the_same() {
    arithmetic_agrees::<Fr, Fq>();
}

#[test]
fn arithmetic_modulo_the_scalar_field_agrees_with_it_and_its_shape_is_always_the_same() {
    arithmetic_agrees::<Fq, Fr>();
}

#[test]
fn no_value_of_arithmetic_is_free() {
    let (greatest, zero) = (-Fq::ONE, Fq::ZERO);
    let cases = [
        ((68, 4), (greatest, u128::MAX, greatest)),
        ((88, 3), (zero, 0, zero)),
        ((32, 8), (random(7), 1 << 90, random(8))),
    ];
    for ((width, count), (a, r, b)) in cases {
        let parameters = LimbParameters::new::<Fr, Fq>(width, count).unwrap();
        build(|circuit: &mut Circuit<Fr>| {
            let short = short(circuit, r, parameters);
            let [a, b] =
                [a, b].map(|value| NonNative::<Fr, Fq>::assign_canonical(circuit, value, parameters));
            let sum = a.add_multiple(circuit, &short, &b).add_short(circuit, &short);
            sum.add_product(circuit, &b, &b).enforce_canonical(circuit);
        })
        .assert_each_value_is_bound(&[]);
    }
}

#[test]
fn limbs_of_a_short_number_are_bound_to_its_bits() {
    for (width, count) in LIMBS {
        let parameters = LimbParameters::new::<Fr, Fq>(width, count).unwrap();
        build(|circuit: &mut Circuit<Fr>| {
            let value = circuit.public(Fr::from_u128(R));
            let short = Short::new(circuit, &value);
            ShortLimbs::new(circuit, &short, parameters);
        })
        .assert_each_value_is_bound(&[]);
    }
}
