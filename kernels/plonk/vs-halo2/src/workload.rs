//! What is proven.

use clap::ValueEnum;

use crate::hashes::{Hashes, Shape};

/// A circuit and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Workload {
    /// One hash of two elements.
    #[value(name = "poseidon-2")]
    Poseidon2,
    /// One hash of sixteen elements.
    #[value(name = "poseidon-16")]
    Poseidon16,
    /// Hashes of two elements, each of the one before, with a lookup in every row.
    #[value(name = "chain-14")]
    Chain14,
    /// The same in eight times as many rows.
    #[value(name = "chain-17")]
    Chain17,
}

/// In the order that they are measured in.
pub(crate) const ALL: [Workload; 4] =
    [Workload::Poseidon2, Workload::Poseidon16, Workload::Chain14, Workload::Chain17];

impl Workload {
    pub(crate) fn k(self) -> u32 {
        match self {
            Self::Poseidon2 => 7,
            Self::Poseidon16 => 9,
            Self::Chain14 => 14,
            Self::Chain17 => 17,
        }
    }

    pub(crate) fn circuit(self) -> Hashes {
        let one = |inputs| Shape { inputs, hashes: 1, lookups: false };
        let chain = |hashes| Shape { inputs: 2, hashes, lookups: true };
        Hashes::new(match self {
            Self::Poseidon2 => one(2),
            Self::Poseidon16 => one(16),
            // As many as there are rows for.
            Self::Chain14 => chain(248),
            Self::Chain17 => chain(1985),
        })
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Poseidon2 => "Poseidon of 2",
            Self::Poseidon16 => "Poseidon of 16",
            Self::Chain14 | Self::Chain17 => "Chain of hashes",
        }
    }

    pub(crate) fn size(self) -> String {
        let hashes = self.circuit().shape.hashes;
        if hashes == 1 { format!("k = {}", self.k()) } else { format!("k = {}, {hashes} hashes", self.k()) }
    }

    /// As the command line has it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
