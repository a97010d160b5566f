//! What computes: this library in a context for each set of instructions, the peers in a pool, all with as many threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use zkaccel::{Backend, Config, Context, Isa, Status};

pub(crate) struct Machine {
    pub(crate) threads: u32,
    /// The best that this CPU has first.
    pub(crate) ours: Vec<Ours>,
    pub(crate) peers: ThreadPool,
}

pub(crate) struct Ours {
    pub(crate) name: &'static str,
    pub(crate) context: Context,
    config: Config,
}

impl Ours {
    /// Another context of the same kind.
    pub(crate) fn alike(&self) -> zkaccel::Result<Context> {
        Context::new(&self.config)
    }
}

impl Machine {
    pub(crate) fn new(threads: u32) -> Result<Self, Box<dyn std::error::Error>> {
        let mut ours = Vec::new();
        for (name, isa) in
            [("zkaccel ifma", Isa::Ifma), ("zkaccel adx", Isa::Adx), ("zkaccel portable", Isa::Portable)]
        {
            let config = Config { backend: Backend::Cpu, threads, isa, ..Config::default() };
            match Context::new(&config) {
                Ok(context) => ours.push(Ours { name, context, config }),
                Err(error) if error.status() == Status::Unsupported => {}
                Err(error) => return Err(error.into()),
            }
        }
        // Without mulx there is hardly a prover; where there is, nobody runs the portable code.
        ours.truncate(2);
        let peers = ThreadPoolBuilder::new().num_threads(threads as usize).build()?;
        Ok(Self { threads, ours, peers })
    }

    pub(crate) fn best(&self) -> &Ours {
        &self.ours[0]
    }
}
