//! Who is measured, by the names that the command line has.

use clap::ValueEnum;

use crate::{
    nova::{Nova, NovaWorkload},
    side::Side,
};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamedSide {
    /// nova-snark
    Nova,
}

impl NamedSide {
    pub(crate) fn of<W: NovaWorkload>(self, workload: &W) -> Box<dyn Side<W>> {
        match self {
            Self::Nova => Box::new(Nova::new(workload.clone())),
        }
    }

    /// As the command line has it.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Nova => "nova",
        }
    }
}
