//! Integers as decimal digits: one spelling for each, and nothing else is read.

use std::str::FromStr;

/// Reads an integer: ASCII digits without a sign, a leading zero or white space, of a value that the type has.
///
/// # Errors
///
/// A sentence that names the rule that the text breaks.
pub fn parse_integer<T: FromStr>(text: &str) -> Result<T, String> {
    if text.is_empty() {
        return Err("it is empty".to_owned());
    }
    if let Some(other) = text.chars().find(|digit| !digit.is_ascii_digit()) {
        return Err(format!("{other:?} is not a decimal digit"));
    }
    if text.len() > 1 && text.starts_with('0') {
        return Err("it has a leading zero".to_owned());
    }
    text.parse().map_err(|_| "it is too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_canonical_spelling_of_an_integer() {
        for number in [0, 1, 10, u64::MAX] {
            assert_eq!(parse_integer(&number.to_string()), Ok(number));
        }
    }

    #[test]
    fn refuses_every_other_spelling_with_the_rule_that_it_breaks() {
        let cases = [
            ("", "it is empty"),
            ("+2", "'+' is not a decimal digit"),
            ("-2", "'-' is not a decimal digit"),
            (" 2", "' ' is not a decimal digit"),
            ("2\n", "'\\n' is not a decimal digit"),
            ("0x2", "'x' is not a decimal digit"),
            ("1_0", "'_' is not a decimal digit"),
            ("02", "it has a leading zero"),
            ("00", "it has a leading zero"),
            ("256", "it is too large"),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_integer::<u8>(text).unwrap_err(), expected, "{text:?}");
        }
    }
}
