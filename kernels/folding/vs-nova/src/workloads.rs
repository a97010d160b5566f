//! What is measured, by the names that the command line has.

pub(crate) mod and;
pub(crate) mod minroot;
pub(crate) mod poseidon;
pub(crate) mod trivial;

use std::{fmt, str::FromStr};

use crate::{elastic::ElasticWorkload, error::Error, nova::NovaWorkload};

/// Something that is done with a workload, whichever it is.
pub(crate) trait Job {
    /// Does it.
    fn run<W: NovaWorkload + ElasticWorkload>(&self, name: Named, workload: &W) -> Result<(), Error>;
}

/// A workload and how much of it a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Trivial,
    MinRoot(usize),
    Poseidon(usize),
    And(usize),
}

/// What is measured unless something else is requested.
pub(crate) const ALL: [Named; 8] = [
    Named::Trivial,
    Named::MinRoot(1024),
    Named::MinRoot(8192),
    Named::MinRoot(32_768),
    Named::Poseidon(10),
    Named::Poseidon(100),
    Named::Poseidon(300),
    Named::And(256),
];

impl Named {
    pub(crate) fn run(self, job: &impl Job) -> Result<(), Error> {
        match self {
            Self::Trivial => job.run(self, &trivial::Trivial),
            Self::MinRoot(iterations) => job.run(self, &minroot::MinRoot { iterations }),
            Self::Poseidon(hashes) => job.run(self, &poseidon::PoseidonChain::new(hashes)),
            Self::And(pairs) => job.run(self, &and::And { pairs }),
        }
    }
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Trivial => write!(f, "trivial"),
            Self::MinRoot(iterations) => write!(f, "minroot-{iterations}"),
            Self::Poseidon(hashes) => write!(f, "poseidon-{hashes}"),
            Self::And(pairs) => write!(f, "and-{pairs}"),
        }
    }
}

impl FromStr for Named {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let why = || {
            format!("{text} is neither trivial nor minroot-N, poseidon-N or and-N with N from 1 to 1000000")
        };
        if text == "trivial" {
            return Ok(Self::Trivial);
        }
        let (name, number) = text.split_once('-').ok_or_else(why)?;
        let number = number.parse().ok().filter(|number| (1..=1_000_000).contains(number)).ok_or_else(why)?;
        match name {
            "minroot" => Ok(Self::MinRoot(number)),
            "poseidon" => Ok(Self::Poseidon(number)),
            "and" => Ok(Self::And(number)),
            _ => Err(why()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_workload_has_a_name_that_names_it() {
        for named in ALL {
            assert_eq!(named.to_string().parse(), Ok(named));
        }
    }

    #[test]
    fn what_names_no_workload_is_refused() {
        for text in
            ["", "minroot", "minroot-", "minroot-0", "minroot--1", "poseidon-1000001", "or-64", "trivial-1"]
        {
            assert!(text.parse::<Named>().is_err(), "{text}");
        }
    }
}
