//! How long to measure, and up to which sizes.

use std::time::Duration;

pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// Of one measurement of one contender.
    pub(crate) time: Duration,
    small: bool,
}

impl Effort {
    pub(crate) fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut number = |what: &str| {
            let text = arguments.next().ok_or(format!("{what} is missing"))?;
            text.parse::<u32>().ok().filter(|&n| n > 0).ok_or(format!("{what} is {text}"))
        };
        let rounds = number("ROUNDS")? as usize;
        let time = Duration::from_secs(u64::from(number("SECONDS")?));
        match arguments.next().as_deref() {
            None => Ok(Self { rounds, time, small: false }),
            Some("small") => Ok(Self { rounds, time, small: true }),
            Some(other) => Err(format!("{other} is neither `small` nor nothing")),
        }
    }

    /// Logarithms of sizes: these, or the smallest of them alone.
    pub(crate) fn logs(&self, all: &'static [u32]) -> &'static [u32] {
        if self.small { &all[..1] } else { all }
    }
}
