//! What computes of ours: the GPU, and the CPU with all that it has.

use std::error::Error;

use zkaccel::{Backend, Config, Context, Status};

pub(crate) struct Machine {
    pub(crate) gpu: Context,
    pub(crate) cpu: Context,
}

impl Machine {
    pub(crate) fn new() -> Result<Self, Box<dyn Error>> {
        let of = |backend| Context::new(&Config { backend, ..Config::default() });
        Ok(Self {
            gpu: of(Backend::Cuda).map_err(|error| format!("there is no GPU to measure on: {error}"))?,
            cpu: of(Backend::Cpu)?,
        })
    }
}

/// Whether it says that the GPU's backend does not have the operation.
pub(crate) fn is_unsupported(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<zkaccel::Error>().is_some_and(|error| error.status() == Status::Unsupported)
}
