//! Who is measured, by the names that the command line has.

use clap::ValueEnum;

use crate::{
    elastic::{Backend, ElasticWorkload},
    nova::{Nova, NovaWorkload},
    side::Side,
};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NamedSide {
    /// elastic-folding on the acceleration library
    Zkaccel,
    /// elastic-folding alone
    Elastic,
    /// nova-snark
    Nova,
}

impl NamedSide {
    pub(crate) fn of<W: NovaWorkload + ElasticWorkload>(self, workload: &W) -> Box<dyn Side<W>> {
        match self {
            Self::Zkaccel => workload.elastic(Backend::Zkaccel),
            Self::Elastic => workload.elastic(Backend::BuiltIn),
            Self::Nova => Box::new(Nova::new(workload.clone())),
        }
    }

    /// As the command line has it.
    pub(crate) fn argument(self) -> &'static str {
        match self {
            Self::Zkaccel => "zkaccel",
            Self::Elastic => "elastic",
            Self::Nova => "nova",
        }
    }
}
