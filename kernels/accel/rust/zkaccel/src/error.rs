//! The error of a call that failed.

use std::{ffi::CStr, fmt};

use zkaccel_sys as sys;

/// What went wrong, of the library's closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Status {
    /// Of another context or field, or a value that is none of its kind.
    InvalidArgument,
    /// Too small, too large, no power of two, or not as long as its partner.
    Size,
    /// A point; [`Error::bad_index`] says which.
    NotOnCurve,
    /// An element that is not below the modulus.
    NonCanonical,
    /// No memory, or beyond the limit of the context.
    OutOfHostMemory,
    /// No device memory, or beyond the limit of the context.
    OutOfDeviceMemory,
    /// A GPU was requested where there is no such.
    NoDevice,
    /// The driver is too old, or refused.
    Driver,
    /// An input of a lookup is not in its table; [`Error::bad_row`] says in which row.
    NotInTable,
    /// A quotient program is malformed; the message names the instruction.
    Program,
    /// Not for this curve, field or backend, or this CPU lacks the instructions.
    Unsupported,
    /// [`Canceller::cancel`](crate::Canceller::cancel) came first; the outputs are undefined.
    Cancelled,
    /// The device failed for good: nothing works in this context any more.
    Poisoned,
    /// A division was to be exact and is not.
    Remainder,
    /// A fault of the library.
    Internal,
}

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// A call that failed. It has written nothing to its outputs, unless it says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    message: String,
    bad_index: Option<usize>,
    bad_row: Option<u64>,
}

impl Error {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), bad_index: None, bad_row: None }
    }

    /// `Ok` for `ZKA_OK`, else the status with the words that this thread's last failed call in `context` left. They
    /// are lost with the thread's next failure, so this comes right after the call.
    pub(crate) fn check(context: *const sys::zka_ctx, status: sys::zka_status) -> Result<()> {
        if status == sys::ZKA_OK {
            return Ok(());
        }
        // SAFETY: any pointer may be passed, and the result is never null, ends in NUL and stays as it is until
        // this thread's next call.
        let message = unsafe { CStr::from_ptr(sys::zka_last_error(context)) };
        Err(Self::new(Status::of(status), message.to_string_lossy()))
    }

    pub(crate) fn at_index(mut self, index: Option<usize>) -> Self {
        self.bad_index = index;
        self
    }

    pub(crate) fn at_row(mut self, row: Option<u64>) -> Self {
        self.bad_row = row;
        self
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// What was wrong, in words.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The first point that was refused.
    #[must_use]
    pub fn bad_index(&self) -> Option<usize> {
        self.bad_index
    }

    /// The first row whose value is not in the table.
    #[must_use]
    pub fn bad_row(&self) -> Option<u64> {
        self.bad_row
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.status, self.message)
    }
}

impl std::error::Error for Error {}

impl Status {
    /// A status that is none of this version's is a fault of the library.
    fn of(status: sys::zka_status) -> Self {
        match status {
            sys::ZKA_E_INVALID_ARG => Self::InvalidArgument,
            sys::ZKA_E_SIZE => Self::Size,
            sys::ZKA_E_NOT_ON_CURVE => Self::NotOnCurve,
            sys::ZKA_E_NON_CANONICAL => Self::NonCanonical,
            sys::ZKA_E_OOM_HOST => Self::OutOfHostMemory,
            sys::ZKA_E_OOM_DEVICE => Self::OutOfDeviceMemory,
            sys::ZKA_E_NO_DEVICE => Self::NoDevice,
            sys::ZKA_E_DRIVER => Self::Driver,
            sys::ZKA_E_NOT_IN_TABLE => Self::NotInTable,
            sys::ZKA_E_PROGRAM => Self::Program,
            sys::ZKA_E_UNSUPPORTED => Self::Unsupported,
            sys::ZKA_E_CANCELLED => Self::Cancelled,
            sys::ZKA_E_POISONED => Self::Poisoned,
            sys::ZKA_E_REMAINDER => Self::Remainder,
            _ => Self::Internal,
        }
    }
}
