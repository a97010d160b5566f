//! What the environment decides.

use std::{env, io, str::FromStr};

use crate::integer::parse_integer;

/// Limits of the server. `Default` has the values that the service counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The longest input in bytes, `ELASTIC_INPUT_BYTES_MAX`; longer ones are refused. Default 10 MiB.
    pub input_bytes_max: usize,
    /// Requests that may wait while a proof runs, `ELASTIC_QUEUE_MAX`; more are refused. Default 4.
    pub queue_max: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { input_bytes_max: 10 * 1024 * 1024, queue_max: 4 }
    }
}

impl Settings {
    /// The defaults, with what the environment says instead.
    ///
    /// # Errors
    ///
    /// When a variable is set to something other than a number.
    pub fn from_env() -> io::Result<Self> {
        let default = Self::default();
        Ok(Self {
            input_bytes_max: number("ELASTIC_INPUT_BYTES_MAX", default.input_bytes_max)?,
            queue_max: number("ELASTIC_QUEUE_MAX", default.queue_max)?,
        })
    }
}

/// A number from the environment. Set but not a number is an error: guessing would hide a slip.
pub(crate) fn number<T: FromStr>(variable: &str, default: T) -> io::Result<T> {
    let Some(text) = env::var_os(variable) else { return Ok(default) };
    let number = text.to_str().and_then(|text| parse_integer(text).ok());
    number.ok_or_else(|| {
        let message = format!("{variable} is {text:?}, which is not a number in its range");
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}
