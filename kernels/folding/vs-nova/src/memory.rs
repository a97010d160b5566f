//! What a side holds at most: each in a process of its own.

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

/// Runs one side, and prints a row of steps, and one of the succinct proof after them.
pub(crate) struct Memory {
    pub(crate) side: NamedSide,
    pub(crate) threads: usize,
    /// Whether a succinct proof is made too.
    pub(crate) compressed: bool,
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
        if !self.compressed {
            return Ok(());
        }
        side.setup_compress()?;
        side.verify_compressed(&side.compress()?, STEPS)?;
        of.values(side.name(), "peak memory, compression", "MiB", vec![peak_mebibytes()?])
    }
}

impl Memory {
    /// Has a child run it, which prints the rows where this process does.
    pub(crate) fn in_child(&self, named: Named) -> Result<(), Error> {
        let mut child = Command::new(env::current_exe()?);
        child.args(["--memory", self.side.argument(), &named.to_string()]);
        child.args(["--threads", &self.threads.to_string()]);
        if !self.compressed {
            child.arg("--steps-alone");
        }
        let status = child.stdin(Stdio::null()).status()?;
        if status.success() { Ok(()) } else { Err(Error::ChildEnded { side: self.side.argument(), status }) }
    }
}
