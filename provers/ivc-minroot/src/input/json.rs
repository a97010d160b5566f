//! The input as JSON, read so that a refusal names the field and what it may be.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::STEPS_MAX;

/// Both fields as they are there, by an object: a derived reader alone would take `[3, ["0", "1"]]` too.
pub(super) struct Fields {
    pub(super) steps: u64,
    pub(super) z0: [String; 2],
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    steps: Steps,
    z0: Start,
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with steps and z0")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Fields, A::Error> {
                let Named { steps: Steps(steps), z0: Start(z0) } =
                    Named::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Fields { steps, z0 })
            }
        }
        deserializer.deserialize_map(Object)
    }
}

struct Steps(u64);

impl<'de> Deserialize<'de> for Steps {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Integer;
        impl Visitor<'_> for Integer {
            type Value = Steps;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "steps to be an integer from 1 to {STEPS_MAX}")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Steps, E> {
                Ok(Steps(value))
            }
        }
        deserializer.deserialize_u64(Integer)
    }
}

struct Start([String; 2]);

impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pair;
        impl<'de> Visitor<'de> for Pair {
            type Value = Start;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("z0 to be two strings of decimal digits")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Start, A::Error> {
                let mut next = |at| {
                    let element: Option<Text> = elements.next_element()?;
                    element.map(|Text(digits)| digits).ok_or_else(|| de::Error::invalid_length(at, &self))
                };
                let start = [next(0)?, next(1)?];
                let mut found = 2;
                while elements.next_element::<IgnoredAny>()?.is_some() {
                    found += 1;
                }
                if found == 2 { Ok(Start(start)) } else { Err(de::Error::invalid_length(found, &self)) }
            }
        }
        deserializer.deserialize_seq(Pair)
    }
}

/// An element of `z0` as text: as a JSON number it would lose digits.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an element of z0 to be a string of decimal digits")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Text, E> {
                Ok(Text(value.to_owned()))
            }
        }
        deserializer.deserialize_str(Digits)
    }
}
