//! Field elements as decimal digits: one spelling for each element, and nothing else is read.

use halo2curves::bn256::Fr;
use halo2curves::ff::PrimeField as _;
use num_bigint::BigUint;

/// The longest decimal below the modulus has 77 digits.
const DIGITS_MAX: usize = 77;

/// Reads a field element: ASCII digits without a sign or a leading zero, of a value below the modulus.
///
/// # Errors
/// A sentence that names the rule that the text breaks.
pub fn parse_decimal(text: &str) -> Result<Fr, String> {
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Some(other) = text.chars().find(|digit| !digit.is_ascii_digit()) {
        return Err(format!("{other:?} is not a decimal digit"));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err("it has a leading zero".to_owned());
    }
    let element =
        (text.len() <= DIGITS_MAX).then(|| text.parse::<BigUint>().ok()).flatten().and_then(element);
    element.ok_or_else(|| {
        let modulus = BigUint::from_bytes_le((-Fr::one()).to_repr().as_ref()) + 1_u32;
        format!("it is not below the field's modulus {modulus}")
    })
}

fn element(number: BigUint) -> Option<Fr> {
    let mut bytes = number.to_bytes_le();
    bytes.resize(32, 0);
    let mut repr = <Fr as halo2curves::ff::PrimeField>::Repr::default();
    repr.as_mut().copy_from_slice(bytes.get(..32).filter(|_| bytes.len() == 32)?);
    Fr::from_repr(repr).into()
}

/// The decimal digits of an element's canonical representative.
#[must_use]
pub fn format_decimal(element: &Fr) -> String {
    BigUint::from_bytes_le(element.to_repr().as_ref()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: &str = "21888242871839275222246405745257275088548364400416034343698204186575808495616";

    #[test]
    fn canonical_decimals_come_back_as_they_were() {
        for text in ["0", "1", "10", "18446744073709551616", LAST] {
            assert_eq!(format_decimal(&parse_decimal(text).unwrap()), text);
        }
        assert_eq!(parse_decimal(LAST).unwrap(), -Fr::one());
    }

    #[test]
    fn every_other_spelling_is_refused_with_the_rule_that_it_breaks() {
        let too_large = "21888242871839275222246405745257275088548364400416034343698204186575808495617";
        let cases = [
            ("", "it is empty"),
            ("+1", "'+' is not a decimal digit"),
            ("0x1", "'x' is not a decimal digit"),
            (" 1", "' ' is not a decimal digit"),
            ("01", "it has a leading zero"),
            (too_large, "it is not below the field's modulus 21888"),
            (&"9".repeat(77), "it is not below the field's modulus"),
            (&"9".repeat(100_000), "it is not below the field's modulus"),
        ];
        for (text, expected) in cases {
            assert!(parse_decimal(text).unwrap_err().starts_with(expected), "{expected}");
        }
    }
}
