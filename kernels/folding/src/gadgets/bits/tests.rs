use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::Field as _;

use super::super::testing::{Cost, assigned, build, committed, random};
use super::*;

const BELOW: &str = "below a constant, 8 pieces";

fn edges<F: PrimeField>() -> Vec<F> {
    let powers = [2, 31, 32, 63, 64, 127, 128, 192, 253].map(|power| F::from(2).pow_vartime([power]));
    let mut edges = vec![F::ZERO, F::ONE, -F::ONE, -F::from(2), random(1), random(2)];
    edges.extend(powers.iter().flat_map(|power| [*power, *power - F::ONE]));
    edges
}

fn integer_of<F: PrimeField>(digits: &[Linear<F>], bits: usize) -> Words {
    digits.iter().rev().fold([0; 4], |number, digit| {
        let digit = integer::words(&digit.value());
        integer::add(integer::multiply(number, [1 << bits, 0, 0, 0]), digit)
    })
}

fn a_decomposition_is_of_the_representative<F: PrimeField>() {
    let digest = build(|circuit: &mut Circuit<F>| {
        let element = circuit.witness(F::ONE);
        canonical_digits(circuit, &element);
    })
    .relation
    .digest();
    for element in edges::<F>() {
        let built = build(|circuit| {
            let element = circuit.witness(element);
            let digits = canonical_digits(circuit, &element);
            assert_eq!(integer_of(&digits, 2), integer::words(&element.value()));
        });
        assert_eq!(built.relation.digest(), digest);
    }
}

#[test]
fn a_decomposition_is_of_the_canonical_representative_and_its_shape_is_always_the_same() {
    a_decomposition_is_of_the_representative::<Fr>();
    a_decomposition_is_of_the_representative::<Fq>();
}

#[test]
fn hole_09_a_decomposition_of_an_element_plus_the_modulus_is_refused_by_the_comparison_alone() {
    // 2^254 is less than two moduli, so only small elements have a second decomposition of 254 bits.
    for element in [0, 1, 5, u128::MAX].map(Fr::from_u128) {
        let circuit = |circuit: &mut Circuit<Fr>, integer: &Words| {
            let element = circuit.witness(element);
            canonical_digits_of(circuit, &element, integer);
        };
        let words = integer::words(&element);
        let built = build(|made| circuit(made, &words));
        let alias = integer::add(words, integer::modulus::<Fr>());
        let dishonest = assigned(|made| circuit(made, &alias));
        let violated = built.violated(&dishonest);
        assert!(!violated.is_empty());
        assert!(violated.iter().all(|(group, _)| group == BELOW || group == DIGIT_OF_A_SUM), "{violated:?}");
    }
}

/// Changes a vector of `canonical_digits` of 7, whose digits are those of 7 plus the modulus, before it is checked.
fn alias_of_seven(change: impl FnOnce(&mut Vec<Fr>, usize)) -> (super::super::testing::Built<Fr>, Vec<Fr>) {
    let element = Fr::from(7);
    let circuit = |circuit: &mut Circuit<Fr>, integer: &Words| {
        let element = circuit.witness(element);
        canonical_digits_of(circuit, &element, integer);
    };
    let built = build(|made| circuit(made, &integer::words(&element)));
    let alias = integer::add(integer::words(&element), integer::modulus::<Fr>());
    let mut dishonest = assigned(|made| circuit(made, &alias));
    // The element and 126 digits come first, then seven flags, the gap and its digits.
    let flags = 1 + 1 + 126;
    change(&mut dishonest, flags);
    (built, dishonest)
}

fn set_excess(dishonest: &mut [Fr], excess: usize, value: u64) {
    dishonest[excess] = Fr::from(value);
    for digit in 1..16 {
        dishonest[excess + digit] = Fr::from(value >> (2 * digit) & 3);
    }
}

#[test]
fn what_refuses_an_alias_is_each_row_of_the_comparison() {
    // No flag of the seven: the lowest piece is claimed to decide; the pieces above are not equal.
    let (built, dishonest) = alias_of_seven(|dishonest, flags| {
        dishonest[flags..flags + 7].fill(Fr::ZERO);
        // 7 + modulus and the modulus differ by 7 in the lowest piece, in the wrong direction.
        set_excess(dishonest, flags + 7, 0);
        dishonest[flags + 7] = -Fr::from(8);
    });
    built.assert_refused_only_by(DIGIT_OF_A_SUM, 0, &dishonest);
    // A gap that is not the one at the flag.
    let (built, dishonest) = alias_of_seven(|dishonest, flags| {
        dishonest[flags..flags + 7].fill(Fr::ZERO);
        set_excess(dishonest, flags + 7, 3);
    });
    built.assert_refused_only_by(BELOW, 1, &dishonest);
    // Flags that are no bits can weigh the one gap there is as they like, here by -1.
    let (built, dishonest) = alias_of_seven(|dishonest, flags| {
        dishonest[flags..flags + 7].fill(Fr::ZERO);
        dishonest[flags] = Fr::from(2);
        set_excess(dishonest, flags + 7, 6);
    });
    let names: Vec<_> = built.violated(&dishonest).into_iter().collect();
    assert_eq!(names, [(BELOW.to_owned(), 0), ("digit below 2".to_owned(), 0)]);
}

#[test]
fn a_piece_that_differs_above_the_flag_is_refused_by_that_piece_alone() {
    let element = -Fr::ONE;
    let built = build(|circuit: &mut Circuit<Fr>| {
        let element = circuit.witness(element);
        canonical_digits(circuit, &element);
    });
    let flags = 1 + 1 + 126;
    // The element whose pieces are the modulus's but for piece `above`, which is greater, with the flag at the lowest.
    for above in 1..8 {
        let raised = integer::add(integer::words(&element), {
            let mut words = [0; 4];
            words[above / 2] = 1 << (32 * (above % 2));
            words
        });
        let mut dishonest = assigned(|circuit: &mut Circuit<Fr>| {
            let value = integer_element(&raised);
            let element = circuit.witness(value);
            canonical_digits_of(circuit, &element, &raised);
        });
        dishonest[flags..flags + 7].fill(Fr::ZERO);
        set_excess(&mut dishonest, flags + 7, 0);
        built.assert_refused_only_by(BELOW, 1 + above, &dishonest);
    }
}

fn integer_element(words: &Words) -> Fr {
    Fr::from_u128(integer::bits(words, 0, 128))
        + Fr::from_u128(integer::bits(words, 128, 128)) * Fr::from(2).pow_vartime([128])
}

#[test]
fn digits_above_three_are_refused_by_their_own_rows() {
    let built = build(|circuit: &mut Circuit<Fr>| {
        let value = circuit.witness(Fr::from(1000));
        digits(circuit, &value, 10);
    });
    // All of the value in one digit, which a division by 4^i makes of any value at all.
    for digit in 1..5_usize {
        let mut dishonest = built.vector.clone();
        dishonest[1] = Fr::from(1 << 20) + Fr::from(1 << 12);
        dishonest[2..].fill(Fr::ZERO);
        dishonest[1 + digit] = dishonest[1] * Fr::from(1 << (2 * digit)).invert().unwrap();
        built.assert_refused_only_by("digit below 4", 0, &dishonest);
    }
    let mut dishonest = built.vector.clone();
    dishonest[1] = Fr::from(1 << 20);
    built.assert_refused_only_by(DIGIT_OF_A_SUM, 0, &dishonest);
}

#[test]
fn a_number_is_below_its_power_of_two() {
    for bits in 0..=9 {
        for value in 0..1_u64 << (bits + 1) {
            let shape = build(|circuit: &mut Circuit<Fr>| {
                let value = circuit.witness(Fr::ZERO);
                digits(circuit, &value, bits);
            });
            let vector = assigned(|circuit: &mut Circuit<Fr>| {
                let value = circuit.witness(Fr::from(value));
                digits(circuit, &value, bits);
            });
            assert_eq!(shape.violated(&vector).is_empty(), value < 1 << bits, "{value} of {bits} bits");
        }
    }
}

#[test]
fn low_bits_are_those_of_the_canonical_representative() {
    for element in edges::<Fq>() {
        let expected = Fq::from_u128(low_number_of(&element));
        build(|circuit: &mut Circuit<Fq>| {
            let element = circuit.witness(element);
            let short = Short::low_bits(circuit, &element);
            assert_eq!(short.value.value(), expected);
            assert_eq!(weighted(&short.bits, 1).value(), expected);
            assert_eq!(low_number(circuit, &element).value(), expected);
        });
    }
    assert_eq!(low_number_of(&-Fr::ONE), 0x2833_e848_79b9_7091_43e1_f593_f000_0000);
}

#[test]
fn low_bits_of_an_element_plus_the_modulus_are_refused() {
    let element = Fr::from(3);
    let built = build(|circuit: &mut Circuit<Fr>| {
        let element = circuit.witness(element);
        Short::low_bits(circuit, &element);
    });
    let modulus = integer::modulus::<Fr>();
    let alias = integer::bits(&integer::add(modulus, [3, 0, 0, 0]), 0, 128);
    let dishonest = assigned(|circuit: &mut Circuit<Fr>| {
        let element = circuit.witness(element);
        Short::low_bits_of(circuit, &element, alias);
    });
    let violated = built.violated(&dishonest);
    assert!(!violated.is_empty());
    assert!(violated.iter().all(|(group, _)| group == BELOW || group == DIGIT_OF_A_SUM), "{violated:?}");
    // Any other number leaves a rest that is no number of 126 bits.
    for number in [2, 4, u128::MAX] {
        let dishonest = assigned(|circuit: &mut Circuit<Fr>| {
            let element = circuit.witness(element);
            Short::low_bits_of(circuit, &element, number);
        });
        assert!(built.violated(&dishonest).contains(&(DIGIT_OF_A_SUM.to_owned(), 0)), "{number}");
    }
}

#[test]
fn a_short_number_has_one_decomposition() {
    let built = build(|circuit: &mut Circuit<Fr>| {
        let value = circuit.witness(Fr::from(5));
        Short::new(circuit, &value);
    });
    // 5 = 1 + 4 = 1 + 2 * 2.
    let mut dishonest = built.vector.clone();
    (dishonest[3], dishonest[4]) = (Fr::from(2), Fr::ZERO);
    built.assert_refused_only_by("digit below 2", 0, &dishonest);
    let mut dishonest = built.vector.clone();
    dishonest[1] += Fr::ONE;
    built.assert_refused_only_by("zero", 0, &dishonest);
}

#[test]
fn no_value_of_a_decomposition_is_free() {
    for element in [Fr::ZERO, Fr::ONE, -Fr::ONE, random(3)] {
        build(|circuit: &mut Circuit<Fr>| {
            let element = circuit.witness(element);
            let expected = circuit.public(element.value());
            circuit.enforce_equal(&element, &expected);
            canonical_digits(circuit, &element);
            Short::low_bits(circuit, &element);
            low_number(circuit, &element);
        })
        .assert_each_value_is_bound(&[]);
    }
}

#[test]
fn what_decompositions_take() {
    let cost = |gadget: fn(&mut Circuit<Fr>, &Linear<Fr>)| {
        build(|circuit| {
            let element = circuit.witness(random(4));
            assert_eq!(committed(circuit), 1);
            gadget(circuit, &element);
        })
        .cost(1)
    };
    let digits = |circuit: &mut Circuit<Fr>, element: &Linear<Fr>| drop(canonical_digits(circuit, element));
    assert_eq!(cost(digits), Cost { full: 0, medium: 1, small: 126 + 22 });
    let bits = |circuit: &mut Circuit<Fr>, element: &Linear<Fr>| drop(Short::low_bits(circuit, element));
    assert_eq!(cost(bits), Cost { full: 0, medium: 2, small: 128 + 62 + 22 });
    let number = |circuit: &mut Circuit<Fr>, element: &Linear<Fr>| drop(low_number(circuit, element));
    assert_eq!(cost(number), Cost { full: 0, medium: 2, small: 63 + 62 + 22 });
}
