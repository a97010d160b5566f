//! Integers below `2^256`: values that gadgets assign, never a part of a circuit.

use halo2curves::ff::PrimeField;

/// Words of 64 bits, least first.
pub(super) type Words = [u64; 4];

/// The canonical representative of an element of a field of up to 256 bits.
pub(super) fn words<F: PrimeField>(element: &F) -> Words {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(element.to_repr().as_ref().chunks(8)) {
        *word = bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    }
    words
}

/// The field's modulus.
pub(super) fn modulus<F: PrimeField>() -> Words {
    add(words(&-F::ONE), [1, 0, 0, 0])
}

/// The `count` bits from bit `start` on; at most 128 of them.
pub(super) fn bits(words: &Words, start: usize, count: usize) -> u128 {
    let word = |index: usize| words.get(index).map_or(0, |word| u128::from(*word));
    let (first, shift) = (start / 64, start % 64);
    let low = (word(first) | word(first + 1) << 64) >> shift;
    let high = if shift == 0 { 0 } else { word(first + 2) << (128 - shift) };
    let all = low | high;
    if count == 128 { all } else { all & ((1 << count) - 1) }
}

/// `words / 2^count`, rounded down.
pub(super) fn shifted(words: &Words, count: usize) -> Words {
    let (low, high) = (bits(words, count, 128), bits(words, count + 128, 128));
    from_halves(low, high)
}

/// `low + 2^128 high`.
pub(super) fn from_halves(low: u128, high: u128) -> Words {
    let half = |half: u128| [low_word(half), low_word(half >> 64)];
    let ([a, b], [c, d]) = (half(low), half(high));
    [a, b, c, d]
}

/// The sum modulo `2^256`.
pub(super) fn add(left: Words, right: Words) -> Words {
    let mut carry = 0;
    std::array::from_fn(|index| {
        let sum = u128::from(left[index]) + u128::from(right[index]) + carry;
        carry = sum >> 64;
        low_word(sum)
    })
}

/// The difference modulo `2^256`.
pub(super) fn subtract(left: Words, right: Words) -> Words {
    add(left, add(right.map(|word| !word), [1, 0, 0, 0]))
}

/// The product modulo `2^256`.
pub(super) fn multiply(left: Words, right: Words) -> Words {
    let mut product = [0; 4];
    for (i, a) in left.into_iter().enumerate() {
        let mut carry = 0;
        for (j, b) in right[..4 - i].iter().enumerate() {
            let sum = u128::from(a) * u128::from(*b) + u128::from(product[i + j]) + carry;
            product[i + j] = low_word(sum);
            carry = sum >> 64;
        }
    }
    product
}

/// `multiple / odd`, for an odd divisor of a multiple of it that is known modulo `2^256`; the quotient is below that.
pub(super) fn exact_quotient(multiple: Words, odd: Words) -> Words {
    // Newton's iteration doubles the bits that are right; an odd number is its own inverse modulo 8.
    let inverse =
        (0..7).fold(odd, |inverse, _| multiply(inverse, subtract([2, 0, 0, 0], multiply(odd, inverse))));
    multiply(multiple, inverse)
}

#[expect(clippy::cast_possible_truncation, reason = "the low word is the result")]
fn low_word(sum: u128) -> u64 {
    sum as u64
}

#[cfg(test)]
mod tests {
    use halo2curves::bn256::{Fq, Fr};
    use halo2curves::ff::Field as _;

    use super::*;

    #[test]
    fn bits_cross_words() {
        let words = [0x1111_2222_3333_4444, 0x5555_6666_7777_8888, 3, 1 << 63];
        assert_eq!(bits(&words, 0, 64), 0x1111_2222_3333_4444);
        assert_eq!(bits(&words, 32, 64), 0x7777_8888_1111_2222);
        assert_eq!(bits(&words, 60, 128), 0x35_5556_6667_7778_8881);
        assert_eq!(bits(&words, 255, 20), 1);
        assert_eq!(bits(&words, 300, 20), 0);
        assert_eq!(shifted(&words, 192), [1 << 63, 0, 0, 0]);
    }

    #[test]
    fn an_exact_quotient_is_that_of_integers() {
        let odd = modulus::<Fq>();
        for quotient in [[0; 4], [1, 0, 0, 0], [u64::MAX; 4], [7, 1 << 63, 0, 9]] {
            assert_eq!(exact_quotient(multiply(quotient, odd), odd), quotient);
        }
    }

    #[test]
    fn the_modulus_is_one_more_than_the_greatest_element() {
        assert_eq!(words(&Fr::ZERO), [0; 4]);
        assert_eq!(subtract(modulus::<Fr>(), words(&-Fr::ONE)), [1, 0, 0, 0]);
        assert_eq!(modulus::<Fr>()[3] >> 56, 0x30);
    }
}
