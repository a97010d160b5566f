//! What is proven.

use clap::ValueEnum;

use crate::circuits::{Hashes, Shape, Wide};

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
    /// The same in eight times as many rows again.
    #[value(name = "chain-20")]
    Chain20,
    /// 200 columns and 20 lookups.
    #[value(name = "wide-16")]
    Wide16,
}

/// A circuit of either kind.
pub(crate) enum Made {
    Hashes(Hashes),
    Wide(Wide),
}

/// In the order that they are measured in, where none are named.
pub(crate) const ALL: [Workload; 5] =
    [Workload::Poseidon2, Workload::Poseidon16, Workload::Chain14, Workload::Chain17, Workload::Wide16];

impl Workload {
    pub(crate) fn k(self) -> u32 {
        match self {
            Self::Poseidon2 => 7,
            Self::Poseidon16 => 9,
            Self::Chain14 => 14,
            Self::Chain17 => 17,
            Self::Chain20 => 20,
            Self::Wide16 => 16,
        }
    }

    pub(crate) fn circuit(self) -> Made {
        match self {
            Self::Wide16 => Made::Wide(Wide::new(self.k())),
            _ => Made::Hashes(Hashes::new(self.shape())),
        }
    }

    fn shape(self) -> Shape {
        let one = |inputs| Shape { inputs, hashes: 1, lookups: false };
        let chain = |hashes| Shape { inputs: 2, hashes, lookups: true };
        match self {
            Self::Poseidon16 => one(16),
            // As many as there are rows for.
            Self::Chain14 => chain(248),
            Self::Chain17 => chain(1_985),
            Self::Chain20 => chain(15_887),
            Self::Poseidon2 | Self::Wide16 => one(2),
        }
    }

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Poseidon2 => "Poseidon of 2",
            Self::Poseidon16 => "Poseidon of 16",
            Self::Chain14 | Self::Chain17 | Self::Chain20 => "Chain of hashes",
            Self::Wide16 => "Wide circuit",
        }
    }

    pub(crate) fn size(self) -> String {
        let k = self.k();
        match (self, self.shape().hashes) {
            (Self::Wide16, _) => format!("k = {k}, {} columns, {} lookups", Wide::COLUMNS, Wide::LOOKUPS),
            (_, 1) => format!("k = {k}"),
            (_, hashes) => format!("k = {k}, {hashes} hashes"),
        }
    }

    /// As the command line has it.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}
