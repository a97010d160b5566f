//! The demo prover's input, checked while it is read, so that what exists is valid.

use std::fmt;

use halo2_axiom::halo2curves::bn256::Fr;
use serde::{
    Deserialize, Deserializer,
    de::{self, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::decimal::parse_decimal;

/// The most elements that one proof hashes: circomlib's parameters end at width 17.
pub const INPUTS_MAX: usize = 16;

/// `{"private_input": [integers 0 … 2^64-1, 1 to 16 of them], "public_input": "decimal digits"}`, and no
/// other key.
///
/// The range of the integers is a rule of this format, not part of what is proven (see the README).
#[derive(Clone, Debug)]
pub struct Input {
    private_input: Vec<u64>,
    public_input: String,
    public_element: Fr,
}

impl Input {
    /// Checks both parts.
    ///
    /// # Errors
    ///
    /// A sentence that says which part breaks which rule.
    pub fn new(private_input: Vec<u64>, public_input: String) -> Result<Self, String> {
        if private_input.is_empty() || private_input.len() > INPUTS_MAX {
            return Err(format!(
                "private_input must hold 1 to {INPUTS_MAX} integers, and it holds {}",
                private_input.len()
            ));
        }
        let public_element = parse_decimal(&public_input)
            .map_err(|error| format!("public_input must be a canonical decimal: {error}"))?;
        Ok(Self { private_input, public_input, public_element })
    }

    /// The public input as it was written.
    #[must_use]
    pub fn public_input(&self) -> &str {
        &self.public_input
    }

    /// How many elements are hashed.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.private_input.len()
    }

    pub(crate) fn public_element(&self) -> Fr {
        self.public_element
    }

    pub(crate) fn private_elements(&self) -> Vec<Fr> {
        self.private_input.iter().map(|&x| Fr::from(x)).collect()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    private_input: Vec<PrivateInteger>,
    public_input: DecimalText,
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Only an object will do: a derived reader would take `[[1], "2"]` too.
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Input;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with private_input and public_input")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Input, A::Error> {
                let unchecked = Unchecked::deserialize(MapAccessDeserializer::new(map))?;
                let private_input = unchecked.private_input.into_iter().map(|integer| integer.0).collect();
                Input::new(private_input, unchecked.public_input.0).map_err(de::Error::custom)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A `u64` whose refusals say what an element of `private_input` may be.
struct PrivateInteger(u64);

impl<'de> Deserialize<'de> for PrivateInteger {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Integer;
        impl Visitor<'_> for Integer {
            type Value = PrivateInteger;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("private_input to hold integers from 0 to 18446744073709551615")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<PrivateInteger, E> {
                Ok(PrivateInteger(value))
            }
        }
        deserializer.deserialize_u64(Integer)
    }
}

/// A string, whose refusals say that `public_input` is text: as a JSON number it would lose digits.
struct DecimalText(String);

impl<'de> Deserialize<'de> for DecimalText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = DecimalText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("public_input to be a string of decimal digits")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<DecimalText, E> {
                Ok(DecimalText(value.to_owned()))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> String {
        serde_json::from_str::<Input>(json).unwrap_err().to_string()
    }

    #[test]
    fn an_input_with_one_to_sixteen_integers_is_accepted() {
        for count in 1..=16 {
            let integers = vec![u64::MAX; count];
            let json = format!(r#"{{"public_input":"0","private_input":{integers:?}}}"#);
            assert_eq!(serde_json::from_str::<Input>(&json).unwrap().inputs(), count);
        }
    }

    #[test]
    fn every_broken_input_is_refused_with_a_sentence_that_names_the_rule() {
        let cases = [
            (r#"{"private_input":[],"public_input":"0"}"#, "must hold 1 to 16 integers, and it holds 0"),
            (
                r#"{"private_input":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17],"public_input":"0"}"#,
                "it holds 17",
            ),
            (r#"{"private_input":[-1],"public_input":"0"}"#, "integers from 0 to 18446744073709551615"),
            (r#"{"private_input":[1.5],"public_input":"0"}"#, "integers from 0 to 18446744073709551615"),
            (r#"{"private_input":[1.0],"public_input":"0"}"#, "integers from 0 to 18446744073709551615"),
            (
                r#"{"private_input":[18446744073709551616],"public_input":"0"}"#,
                "from 0 to 18446744073709551615",
            ),
            (r#"{"private_input":["1"],"public_input":"0"}"#, "integers from 0 to 18446744073709551615"),
            (r#"{"private_input":1,"public_input":"0"}"#, "expected a sequence"),
            (r#"{"private_input":[1],"public_input":5}"#, "public_input to be a string of decimal digits"),
            (
                r#"{"private_input":[1],"public_input":"01"}"#,
                "public_input must be a canonical decimal: it has a leading zero",
            ),
            (
                r#"{"private_input":[1],"public_input":"21888242871839275222246405745257275088548364400416034343698204186575808495617"}"#,
                "it is not below the field's modulus",
            ),
            (r#"{"private_input":[1],"public_input":"0x1"}"#, "'x' is not a decimal digit"),
            (r#"{"private_input":[1]}"#, "missing field `public_input`"),
            (r#"{"public_input":"1"}"#, "missing field `private_input`"),
            (r#"{"private_input":[1],"public_input":"1","seed":3}"#, "unknown field `seed`"),
            (
                r#"{"private_input":[1],"private_input":[2],"public_input":"1"}"#,
                "duplicate field `private_input`",
            ),
            ("null", "expected an object with private_input and public_input"),
            (r#"[[1],"1"]"#, "expected an object with private_input and public_input"),
        ];
        for (json, expected) in cases {
            let refusal = refusal(json);
            assert!(refusal.contains(expected), "{json} was refused with {refusal:?}");
        }
    }
}
