//! Where operations are called: at once, or in the order of a stream.

use std::{
    cell::{Cell, RefCell},
    marker::PhantomData,
};

use zkaccel_sys as sys;

use crate::{
    context::Context,
    error::{Error, Result, Status},
};

/// What operations are called on; each module of this crate adds its own.
///
/// [`Context::at_once`] gives one whose calls are done when they return. In [`Stream::scope`](crate::Stream::scope)
/// calls happen in their order, and what they write to the caller's memory is there after the scope: until then it is
/// borrowed, for `'env`. So is what [`Queue::write`] reads. All else that a call is handed it has read when it returns.
#[derive(Debug)]
pub struct Queue<'env> {
    context: Context,
    stream: *mut sys::zka_stream,
    /// Where lookups put the first row that is not in the table, one for each call on a stream: written until the sync.
    #[expect(clippy::vec_box, reason = "the library has their addresses")]
    rows: RefCell<Vec<Box<Cell<u64>>>>,
    /// Of a call on the stream. The library keeps its own; what this crate refuses never gets there.
    first_failure: RefCell<Option<Error>>,
    /// Invariant: were `'env` shortened, a call could borrow for less than until the sync.
    borrowed: PhantomData<Cell<&'env mut ()>>,
}

/// No call says this of a row.
const NO_ROW: u64 = u64::MAX;

impl Queue<'_> {
    /// `stream` may be null: at once.
    pub(crate) fn new(context: Context, stream: *mut sys::zka_stream) -> Self {
        Self {
            context,
            stream,
            rows: RefCell::default(),
            first_failure: RefCell::default(),
            borrowed: PhantomData,
        }
    }

    /// The context whose buffers the calls take.
    #[must_use]
    pub fn context(&self) -> &Context {
        &self.context
    }

    pub(crate) fn stream(&self) -> *mut sys::zka_stream {
        self.stream
    }

    pub(crate) fn check(&self, status: sys::zka_status) -> Result<()> {
        self.context.check(status).map_err(|error| self.failed(error))
    }

    /// A call that this crate does not hand to the library.
    pub(crate) fn refuse(&self, status: Status, message: impl Into<String>) -> Error {
        self.failed(Error::new(status, message))
    }

    fn failed(&self, error: Error) -> Error {
        if !self.stream.is_null() {
            self.first_failure.borrow_mut().get_or_insert_with(|| error.clone());
        }
        error
    }

    /// A call that is handed a place for the first bad row.
    pub(crate) fn with_row(&self, call: impl FnOnce(*mut u64) -> sys::zka_status) -> Result<()> {
        let row = Box::new(Cell::new(NO_ROW));
        let result = self.context.check(call(row.as_ptr()));
        let result = result.map_err(|error| self.failed(error.at_row(known(&row))));
        if !self.stream.is_null() {
            self.rows.borrow_mut().push(row);
        }
        result
    }

    /// The first failure of the calls, or what the sync returned, with the row of the first lookup that failed.
    pub(crate) fn synced(&self, status: sys::zka_status) -> Result<()> {
        let with_row = |error: Error| match error.status() {
            Status::NotInTable => error.at_row(self.rows.borrow().iter().find_map(|row| known(row))),
            _ => error,
        };
        let synced = self.context.check(status).map_err(with_row);
        self.first_failure.take().map_or(synced, Err)
    }
}

fn known(row: &Cell<u64>) -> Option<u64> {
    Some(row.get()).filter(|&row| row != NO_ROW)
}
