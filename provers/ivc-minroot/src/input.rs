//! What is to be proved, checked while it is read, so that what exists is valid.

use halo2curves::bn256::Fr;
use serde::{Deserialize, Deserializer, de};

use self::json::Fields;
use crate::decimal::parse_decimal;

mod json;

/// The most steps that one proof is made of: some days of work.
pub const STEPS_MAX: u64 = 1 << 22;

/// `{"steps": 1 to 4194304, "z0": ["x", "y"]}` with both elements as strings of decimal digits, and no other key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    steps: u64,
    start: [Fr; 2],
}

impl Input {
    /// So many steps from `[x, y]`.
    ///
    /// # Errors
    /// A sentence that says which number of steps there may be.
    pub fn new(steps: u64, start: [Fr; 2]) -> Result<Self, String> {
        if (1..=STEPS_MAX).contains(&steps) {
            Ok(Self { steps, start })
        } else {
            Err(format!("steps must be 1 to {STEPS_MAX}, not {steps}"))
        }
    }

    /// How many steps there are, of [`crate::ITERATIONS`] iterations each.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// `[x, y]` before the first.
    #[must_use]
    pub fn start(&self) -> [Fr; 2] {
        self.start
    }
}

impl<'de> Deserialize<'de> for Input {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Fields { steps, z0: [x, y] } = Fields::deserialize(deserializer)?;
        let element = |name: &str, text: &str| {
            parse_decimal(text)
                .map_err(|what| de::Error::custom(format!("z0's {name} must be a canonical decimal: {what}")))
        };
        Self::new(steps, [element("x", &x)?, element("y", &y)?]).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_two_elements_are_read() {
        let input: Input = serde_json::from_str(r#"{"z0":["0","1"],"steps":3}"#).unwrap();
        assert_eq!(input, Input::new(3, [Fr::zero(), Fr::one()]).unwrap());
    }

    #[test]
    fn every_broken_input_is_refused_with_a_sentence_that_names_the_rule() {
        let cases = [
            (r#"{"steps":0,"z0":["0","1"]}"#, "steps must be 1 to 4194304, not 0"),
            (r#"{"steps":4194305,"z0":["0","1"]}"#, "steps must be 1 to 4194304, not 4194305"),
            (r#"{"steps":-1,"z0":["0","1"]}"#, "expected steps to be an integer from 1 to 4194304"),
            (r#"{"steps":1.5,"z0":["0","1"]}"#, "expected steps to be an integer from 1 to 4194304"),
            (r#"{"steps":1e30,"z0":["0","1"]}"#, "expected steps to be an integer from 1 to 4194304"),
            (r#"{"steps":"3","z0":["0","1"]}"#, "expected steps to be an integer from 1 to 4194304"),
            (r#"{"steps":3,"z0":[0,1]}"#, "expected an element of z0 to be a string of decimal digits"),
            (r#"{"steps":3,"z0":"0"}"#, "expected z0 to be two strings of decimal digits"),
            (r#"{"steps":3,"z0":["0"]}"#, "invalid length 1, expected z0 to be two strings"),
            (r#"{"steps":3,"z0":["0","1","2","3"]}"#, "invalid length 4, expected z0 to be two strings"),
            (r#"{"steps":3,"z0":["0","01"]}"#, "z0's y must be a canonical decimal: it has a leading zero"),
            (r#"{"steps":3}"#, "missing field `z0`"),
            (r#"{"z0":["0","1"]}"#, "missing field `steps`"),
            (r#"{"steps":3,"z0":["0","1"],"seed":1}"#, "unknown field `seed`"),
            (r#"{"steps":3,"steps":4,"z0":["0","1"]}"#, "duplicate field `steps`"),
            ("null", "expected an object with steps and z0"),
            (r#"[3,["0","1"]]"#, "expected an object with steps and z0"),
        ];
        for (json, expected) in cases {
            let refusal = serde_json::from_str::<Input>(json).unwrap_err().to_string();
            assert!(refusal.contains(expected), "{json} was refused with {refusal:?}");
        }
    }
}
