//! How long to measure, and up to which sizes.

use std::time::Duration;

/// What the arguments of a measuring program say.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Times that each contender has its turn.
    pub rounds: usize,
    /// Of one round of a row, which its contenders share; each makes one call at least.
    pub round: Duration,
    small: bool,
}

impl Effort {
    /// Of `ROUNDS SECONDS [small]`.
    ///
    /// # Errors
    ///
    /// What is wrong with which argument.
    pub fn from_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut number = |what: &str| {
            let text = arguments.next().ok_or(format!("{what} is missing"))?;
            text.parse::<u32>().ok().filter(|&n| n > 0).ok_or(format!("{what} is {text}"))
        };
        let rounds = number("ROUNDS")? as usize;
        let round = Duration::from_secs(u64::from(number("SECONDS")?));
        match arguments.next().as_deref() {
            None => Ok(Self { rounds, round, small: false }),
            Some("small") => Ok(Self { rounds, round, small: true }),
            Some(other) => Err(format!("{other} is neither `small` nor nothing")),
        }
    }

    /// Logarithms of sizes: these, or the smallest of them alone.
    #[must_use]
    pub fn logs<'a>(&self, all: &'a [u32]) -> &'a [u32] {
        if self.small { &all[..1] } else { all }
    }
}
