//! Field elements as decimal digits: one spelling for each element, and nothing else is read.

use halo2_axiom::halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
};

use crate::error::DecimalError;

/// The longest decimal below the modulus has 77 digits.
const DIGITS_MAX: usize = 77;

/// Reads a field element. Only the canonical spelling is accepted: ASCII digits, no sign, no leading zero
/// except in `"0"`, a value below the modulus `r`.
///
/// # Errors
///
/// [`DecimalError`] names the rule that the text breaks.
pub fn parse_decimal(text: &str) -> Result<Fr, DecimalError> {
    if text.is_empty() {
        return Err(DecimalError::Empty);
    }
    if let Some(other) = text.chars().find(|c| !c.is_ascii_digit()) {
        return Err(DecimalError::NotADigit(other));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err(DecimalError::LeadingZero);
    }
    if text.len() > DIGITS_MAX {
        return Err(DecimalError::TooLarge);
    }
    let ten = Fr::from(10);
    let value = text.bytes().fold(Fr::ZERO, |value, digit| value * ten + Fr::from(u64::from(digit - b'0')));
    // The sum above is modulo r: only a text below r comes back as it was.
    if format_decimal(&value) == text { Ok(value) } else { Err(DecimalError::TooLarge) }
}

/// Writes a field element as the decimal of its representative below the modulus.
#[must_use]
pub fn format_decimal(element: &Fr) -> String {
    /// Nine digits at a time: the largest power of ten that a 32-bit limb holds.
    const BILLION: u64 = 1_000_000_000;
    let mut limbs: Vec<u64> = element
        .to_repr()
        .chunks_exact(4)
        .map(|bytes| u64::from(u32::from_le_bytes(bytes.try_into().expect("chunks of four"))))
        .collect();
    let mut groups = Vec::new();
    while limbs.iter().any(|&limb| limb != 0) {
        let mut remainder = 0;
        for limb in limbs.iter_mut().rev() {
            let value = remainder << 32 | *limb;
            *limb = value / BILLION;
            remainder = value % BILLION;
        }
        groups.push(remainder);
    }
    let Some(first) = groups.pop() else { return "0".to_owned() };
    groups.iter().rev().fold(first.to_string(), |text, group| format!("{text}{group:09}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULUS: &str = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
    const MODULUS_LESS_ONE: &str =
        "21888242871839275222246405745257275088548364400416034343698204186575808495616";

    #[test]
    fn canonical_decimals_come_back_as_they_were() {
        for text in
            ["0", "1", "9", "10", "1000000000", "1000000001", "18446744073709551616", MODULUS_LESS_ONE]
        {
            assert_eq!(format_decimal(&parse_decimal(text).unwrap()), text);
        }
        assert_eq!(parse_decimal(MODULUS_LESS_ONE).unwrap(), -Fr::ONE);
    }

    #[test]
    fn every_other_spelling_is_refused_with_its_reason() {
        assert_eq!(parse_decimal(""), Err(DecimalError::Empty));
        assert_eq!(parse_decimal("00"), Err(DecimalError::LeadingZero));
        assert_eq!(parse_decimal("01"), Err(DecimalError::LeadingZero));
        assert_eq!(parse_decimal("-1"), Err(DecimalError::NotADigit('-')));
        assert_eq!(parse_decimal("+1"), Err(DecimalError::NotADigit('+')));
        assert_eq!(parse_decimal(" 1"), Err(DecimalError::NotADigit(' ')));
        assert_eq!(parse_decimal("1\n"), Err(DecimalError::NotADigit('\n')));
        assert_eq!(parse_decimal("0x1"), Err(DecimalError::NotADigit('x')));
        assert_eq!(parse_decimal("1e3"), Err(DecimalError::NotADigit('e')));
        assert_eq!(parse_decimal("١"), Err(DecimalError::NotADigit('١')));
        assert_eq!(parse_decimal(MODULUS), Err(DecimalError::TooLarge));
        assert_eq!(parse_decimal(&"9".repeat(77)), Err(DecimalError::TooLarge));
        assert_eq!(parse_decimal(&"1".repeat(1 << 20)), Err(DecimalError::TooLarge));
    }
}
