//! Contenders of a row, each having shown that it computes what the CPU does.

use std::{error::Error, fmt::Display};

use halo2curves_axiom::bn256::Fr;
use zkaccel_measure::{Contender, Effort, Work, measure};

use crate::report;

pub(crate) const OURS: &str = "zkaccel gpu";
pub(crate) const ON_CPU: &str = "zkaccel cpu";

pub(crate) struct Contenders<'a> {
    row: String,
    all: Vec<Contender<'a>>,
}

impl<'a> Contenders<'a> {
    /// Of the row of that name and size.
    pub(crate) fn new(name: &str, size: &str) -> Self {
        Self { row: format!("{name}, {size}"), all: Vec::new() }
    }

    /// Ours has to compute the same. `run` was called once.
    pub(crate) fn ours(
        &mut self,
        name: &'static str,
        same: bool,
        run: impl FnMut() + Send + 'a,
    ) -> Result<(), Box<dyn Error>> {
        if !same {
            return Err(format!("{}: what {name} computed is wrong", self.row).into());
        }
        self.all.push(Contender::new(name, run));
        Ok(())
    }

    /// Ours on the GPU and on the CPU, of one operation.
    pub(crate) fn both<O: Operation + 'a>(&mut self, mut gpu: O, mut cpu: O) -> Result<(), Box<dyn Error>> {
        gpu.run()?;
        cpu.run()?;
        self.ours(OURS, gpu.output()? == cpu.output()?, move || gpu.run().expect("it worked before"))?;
        self.ours(ON_CPU, true, move || cpu.run().expect("it worked before"))
    }

    /// A peer that fails, or computes something else, is left out of the row, and that is reported.
    pub(crate) fn peer<P: Peer + 'a>(&mut self, name: &'static str, peer: Result<P, impl Display>) {
        let leave_out = |why: &dyn Display| report::left_out(&format!("{}: {name}: {why}", self.row));
        match peer {
            Err(why) => leave_out(&why),
            Ok(mut peer) => match peer.computes_the_same() {
                Err(why) => leave_out(&why),
                Ok(false) => leave_out(&"what it computed is not the same"),
                Ok(true) => self.all.push(Contender::new(name, move || {
                    peer.run().expect("it worked before");
                })),
            },
        }
    }

    /// The row.
    pub(crate) fn measure(
        self,
        effort: &Effort,
        name: &'static str,
        size: String,
        multiplications: f64,
    ) -> Result<(), Box<dyn Error>> {
        let work = Work { name, size, threads: 0, multiplications };
        report::row(measure(work, effort, self.all, |turn| turn()))
    }
}

/// The row's work in one of our contexts.
pub(crate) trait Operation: Send {
    /// Returns when it is done.
    fn run(&mut self) -> zkaccel::Result<()>;
    /// What the last run computed.
    fn output(&self) -> zkaccel::Result<Vec<Fr>>;
}

/// One that does the row's work with another library.
pub(crate) trait Peer: Send {
    /// Does it once, before it is measured.
    fn computes_the_same(&mut self) -> Result<bool, String>;
    /// Returns when the GPU is done.
    fn run(&mut self) -> Result<(), String>;
}
