//! Who is measured, by the names that the command line has.

use clap::ValueEnum;

use crate::{
    elastic::ElasticWorkload,
    nova::{Nova, NovaWorkload},
    side::Side,
};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamedSide {
    /// elastic-folding
    Elastic,
    /// nova-snark
    Nova,
}

impl NamedSide {
    pub(crate) fn of<W: NovaWorkload + ElasticWorkload>(self, workload: &W) -> Box<dyn Side<W>> {
        match self {
            Self::Elastic => workload.elastic(),
            Self::Nova => Box::new(Nova::new(workload.clone())),
        }
    }

    /// As the command line has it.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Elastic => "elastic",
            Self::Nova => "nova",
        }
    }
}
