//! Why a prover's program ended.

use std::{error::Error, fmt, io};

/// Why [`run`](crate::run) failed. A `main` that returns it prints its sentence: `Debug` is that too.
pub struct RunError(pub(crate) io::Error);

impl fmt::Debug for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl Error for RunError {}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

/// For a `main` that returns an [`io::Result`] for reasons of its own.
impl From<RunError> for io::Error {
    fn from(RunError(error): RunError) -> Self {
        error
    }
}
