//! Remainders and quotients that a dishonest prover claims, and which check refuses each.

use std::cell::Cell;

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::{Field as _, PrimeField};

use super::super::super::below::enforce_below;
use super::super::super::integer::{self, Words};
use super::super::super::reduce::{Checked, Number, assign, enforce_quotient};
use super::super::super::testing::{Built, assigned, build, committed};
use super::super::NonNative;
use super::{DEFAULT, R, short};
use crate::circuit::{Circuit, Linear};

const BELOW: &str = "below a constant, 8 pieces";
const DIGIT: &str = "a sum is a digit below 4";

/// Where a dishonest prover changes the values of `add_multiple`.
#[derive(Clone, Copy, Default)]
struct Places {
    remainder: usize,
    quotient: usize,
    carry: usize,
}

struct Claim {
    remainder: Words,
    quotient: Words,
}

const A: u64 = 77;

/// `A + R b = remainder` with a claimed remainder and quotient, over limbs of 68 bits.
fn claimed<F: PrimeField, N: PrimeField>(circuit: &mut Circuit<F>, b: N, claim: &Claim) -> Places {
    let short = short(circuit, R, DEFAULT);
    let a = NonNative::<F, N>::constant(N::from(A), DEFAULT);
    let b = NonNative::<F, N>::constant(b, DEFAULT);
    let remainder = committed(circuit) + 1;
    let checked = assign(circuit, DEFAULT, &claim.remainder, NonNative::<F, N>::BITS);
    enforce_below(circuit, &checked.pieces, &integer::modulus::<N>());
    let number = Number { limbs: &checked.limbs, value: claim.remainder, bits: NonNative::<F, N>::BITS };
    let quotient = committed(circuit) + 1;
    let numbers = [short.number(), b.number(), a.number(), number];
    enforce_quotient::<F, N>(circuit, DEFAULT, numbers, &claim.quotient);
    // The quotient has limbs of 68 and 62 bits, each with its digits but one.
    Places { remainder, quotient, carry: quotient + 34 + 31 }
}

/// A multiple `b` of which the remainder is `small`, and the true claim.
fn truth<N: PrimeField>(small: u64) -> (N, Claim) {
    let b = (N::from(small) - N::from(A)) * N::from_u128(R).invert().unwrap();
    let sum =
        integer::add(integer::multiply(integer::words(&N::from_u128(R)), integer::words(&b)), [A, 0, 0, 0]);
    let remainder = [small, 0, 0, 0];
    let quotient = integer::exact_quotient(integer::subtract(sum, remainder), integer::modulus::<N>());
    (b, Claim { remainder, quotient })
}

fn true_circuit<F: PrimeField, N: PrimeField>(b: N, claim: &Claim) -> (Built<F>, Places) {
    let places = Cell::new(Places::default());
    let built = build(|circuit: &mut Circuit<F>| places.set(claimed(circuit, b, claim)));
    (built, places.get())
}

#[test]
fn a_remainder_that_is_not_below_the_modulus_is_refused_by_the_comparison_alone() {
    let (b, truth) = truth::<Fq>(9);
    let (built, _) = true_circuit::<Fr, Fq>(b, &truth);
    let claim = Claim {
        remainder: integer::add(truth.remainder, integer::modulus::<Fq>()),
        quotient: integer::subtract(truth.quotient, [1, 0, 0, 0]),
    };
    let mut dishonest = assigned(|circuit: &mut Circuit<Fr>| {
        claimed(circuit, b, &claim);
    });
    // The lowest piece is claimed to decide, with a gap of 1.
    let flags = true_circuit::<Fr, Fq>(b, &truth).1.quotient - 7 - 1 - 16;
    dishonest[flags..flags + 24].fill(Fr::ZERO);
    let violated = built.violated(&dishonest);
    assert!(!violated.is_empty() && violated.iter().all(|(group, _)| group == BELOW), "{violated:?}");
}

/// `k' = k + 1` with `c' = c - N + p`, or the reverse: `X` is the native modulus.
fn off_by_the_native_modulus<F: PrimeField, N: PrimeField>() -> (Built<F>, Places, Vec<F>) {
    let (b, truth) = truth::<N>(9);
    let (built, places) = true_circuit::<F, N>(b, &truth);
    let (native, other) = (integer::modulus::<F>(), integer::modulus::<N>());
    let native_is_greater = native.iter().rev().gt(other.iter().rev());
    let claim = if native_is_greater {
        Claim {
            remainder: integer::add(truth.remainder, integer::subtract(native, other)),
            quotient: integer::add(truth.quotient, [1, 0, 0, 0]),
        }
    } else {
        Claim {
            remainder: integer::add(truth.remainder, integer::subtract(other, native)),
            quotient: integer::subtract(truth.quotient, [1, 0, 0, 0]),
        }
    };
    let dishonest = assigned(|circuit: &mut Circuit<F>| {
        claimed(circuit, b, &claim);
    });
    (built, places, dishonest)
}

fn a_sum_off_by_the_native_modulus_is_refused<F: PrimeField, N: PrimeField>() {
    let (built, places, mut dishonest) = off_by_the_native_modulus::<F, N>();
    // What the prover divides by 2^136 in the field is no short carry.
    built.assert_refused_only_by(DIGIT, 0, &dishonest);
    assert_eq!(built.relation.violations(&dishonest, 9).len(), 1, "the range check of the last carry");
    // With a carry in range, the columns are not 0.
    dishonest[places.carry..].fill(F::ZERO);
    built.assert_refused_only_by("columns 0..2 of 2 x 4 limbs of 68 bits", 0, &dishonest);
}

#[test]
fn hole_09_without_the_range_check_of_the_last_carry_a_sum_off_by_the_native_modulus_would_pass() {
    a_sum_off_by_the_native_modulus_is_refused::<Fr, Fq>();
    a_sum_off_by_the_native_modulus_is_refused::<Fq, Fr>();
}

#[test]
fn a_sum_off_by_a_power_of_two_is_refused_by_the_native_row_alone() {
    let (b, truth) = truth::<Fq>(9);
    let (built, _) = true_circuit::<Fr, Fq>(b, &truth);
    // c' = c + 2^136 - (N mod 2^136), k' = k + 1: the low columns agree.
    let modulus = integer::modulus::<Fq>();
    let low = integer::bits(&modulus, 0, 128);
    let low = integer::from_halves(low, integer::bits(&modulus, 128, 8));
    let claim = Claim {
        remainder: integer::add(truth.remainder, integer::subtract([0, 0, 1 << 8, 0], low)),
        quotient: integer::add(truth.quotient, [1, 0, 0, 0]),
    };
    let dishonest = assigned(|circuit: &mut Circuit<Fr>| {
        claimed(circuit, b, &claim);
    });
    built.assert_refused_only_by("product", 0, &dishonest);
}

#[test]
fn any_remainder_at_all_is_refused_by_the_range_checks_of_the_quotient_alone() {
    let (b, truth) = truth::<Fq>(9);
    let (built, places) = true_circuit::<Fr, Fq>(b, &truth);
    let claim = Claim { remainder: [123_456, 0, 0, 0], quotient: truth.quotient };
    let mut dishonest = assigned(|circuit: &mut Circuit<Fr>| {
        claimed(circuit, b, &claim);
    });
    // Two equations, native and columns with the carry 0, in the two limbs of the quotient.
    let power = |bits: u64| Fr::from(2).pow_vartime([bits]);
    let limb = |words: &Words, index: usize| Fr::from_u128(integer::bits(words, 68 * index, 68));
    let element =
        |words: &Words| (0..4).rev().fold(Fr::ZERO, |sum, index| sum * power(68) + limb(words, index));
    let modulus = integer::modulus::<Fq>();
    let b = integer::words(&b);
    let r = integer::words(&Fr::from_u128(R));
    let claimed = Fr::from(123_456);
    let whole = Fr::from_u128(R) * element(&b) + Fr::from(A) - claimed;
    let quotient = whole * element(&modulus).invert().unwrap();
    let low = |words: &Words| limb(words, 0) + limb(words, 1) * power(68);
    let crossed = (limb(&r, 0) * limb(&b, 1) + limb(&r, 1) * limb(&b, 0)) * power(68);
    let columns = limb(&r, 0) * limb(&b, 0) + crossed + Fr::from(A) - claimed;
    let high = (quotient * low(&modulus) - columns) * (power(136) * limb(&modulus, 1)).invert().unwrap();
    dishonest[places.quotient..].fill(Fr::ZERO);
    dishonest[places.quotient] = quotient - high * power(68);
    dishonest[places.quotient + 34] = high;
    // The carry 0 is stored with its offset, 2^71.
    dishonest[places.carry] = power(71);
    dishonest[places.carry + 35] = Fr::from(2);
    built.assert_refused_only_by(DIGIT, 0, &dishonest);
    assert_eq!(
        built.relation.violations(&dishonest, 9).len(),
        2,
        "both limbs of the quotient, and nothing else"
    );
}

#[test]
fn limbs_that_differ_but_cancel_are_refused() {
    let (b, truth) = truth::<Fq>(9);
    let (built, places) = true_circuit::<Fr, Fq>(b, &truth);
    // A power of two moved between the two lowest limbs leaves the number and the columns as they are.
    let moved = Fr::from(2).pow_vartime([68]);
    let mut dishonest = built.vector.clone();
    dishonest[places.remainder] += moved;
    dishonest[places.remainder + 34] -= Fr::ONE;
    built.assert_refused_only_by(DIGIT, 0, &dishonest);
    // Differences that would cancel if limbs were added up before they are compared.
    let parts = |limbs: [u64; 2]| {
        let vector = [Fr::ONE].into_iter().chain(limbs.map(Fr::from)).collect::<Vec<_>>();
        let built = build(|circuit: &mut Circuit<Fr>| {
            let limbs = [Fr::from(50), Fr::from(50)].map(|limb| circuit.witness(limb));
            let limbs = vec![limbs[0].clone(), limbs[1].clone(), Linear::zero(), Linear::zero()];
            let words = integer::add([50, 0, 0, 0], [0, 50 << 4, 0, 0]);
            let value = Fq::from(50) + Fq::from(2).pow_vartime([68]) * Fq::from(50);
            assert_eq!(integer::words(&value), words);
            let element = NonNative { limbs, value, parameters: DEFAULT };
            NonNative::constant(value, DEFAULT).enforce_equal(circuit, &element);
        });
        built.relation.violations(&vector, 9).len()
    };
    assert_eq!([parts([50, 50]), parts([51, 49]), parts([53, 50])], [0, 2, 1]);
}

#[test]
fn hole_09_limbs_of_the_modulus_and_beyond_are_refused() {
    let circuit = |circuit: &mut Circuit<Fr>, words: &Words, whole_limbs: bool| {
        let Checked { limbs, pieces } = assign(circuit, DEFAULT, words, 254);
        if whole_limbs {
            NonNative::<Fr, Fq> { limbs, value: Fq::ZERO, parameters: DEFAULT }.enforce_canonical(circuit);
        } else {
            enforce_below(circuit, &pieces, &integer::modulus::<Fq>());
        }
    };
    let modulus = integer::modulus::<Fq>();
    for whole_limbs in [false, true] {
        let built = build(|made| circuit(made, &[0; 4], whole_limbs));
        let accepts =
            |words: &Words| built.violated(&assigned(|made| circuit(made, words, whole_limbs))).is_empty();
        assert!(accepts(&integer::subtract(modulus, [1, 0, 0, 0])));
        for beyond in [[0; 4], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1 << 59]] {
            assert!(!accepts(&integer::add(modulus, beyond)), "{beyond:?}");
        }
        assert!(!accepts(&[u64::MAX, u64::MAX, u64::MAX, (1 << 62) - 1]));
    }
}
