//! What a side holds at most: each in a separate process.

use std::{
    env,
    process::{Command, Stdio},
};

use crate::{
    elastic::ElasticWorkload,
    error::Error,
    meter::peak_mebibytes,
    nova::NovaWorkload,
    row::Of,
    sides::NamedSide,
    workload::Twin,
    workloads::{Job, Named},
};

/// After the first few, a step takes what any step takes.
const STEPS: usize = 4;

/// Runs one side, and prints two rows.
pub(crate) struct Memory {
    pub(crate) side: NamedSide,
    pub(crate) threads: usize,
}

impl Job for Memory {
    fn run<W: NovaWorkload + ElasticWorkload>(&self, named: Named, workload: &W) -> Result<(), Error> {
        let of = Of::new(named, workload, self.threads);
        let mut twin = Twin::new(workload);
        let mut side = self.side.of(workload);
        let mut advice = twin.advance();
        side.setup(&advice)?;
        for _ in 0..STEPS {
            side.step(&advice)?;
            advice = twin.advance();
        }
        side.verify(STEPS)?;
        of.values(side.name(), "peak memory, steps", "MiB", vec![peak_mebibytes()?])?;
        side.setup_compress()?;
        side.verify_compressed(&side.compress()?, STEPS)?;
        of.values(side.name(), "peak memory, compression", "MiB", vec![peak_mebibytes()?])
    }
}

impl Memory {
    /// Has a child run it, which prints the rows where this process does.
    pub(crate) fn in_child(&self, named: Named) -> Result<(), Error> {
        let status = Command::new(env::current_exe()?)
            .args(["--memory", self.side.argument(), &named.to_string()])
            .args(["--threads", &self.threads.to_string()])
            .stdin(Stdio::null())
            .status()?;
        if status.success() { Ok(()) } else { Err(Error::ChildEnded { side: self.side.argument(), status }) }
    }
}
