//! `zkaccel/status.h`: the status codes that calls return.

use std::ffi::{c_char, c_int};

/// What a call returns: [`ZKA_OK`] or one of the others.
pub type zka_status = c_int;

/// It worked.
pub const ZKA_OK: zka_status = 0;
/// Null, misaligned, freed or foreign; or a value that is none of its kind.
pub const ZKA_E_INVALID_ARG: zka_status = -1;
/// Too small, too large, no power of two, or not as long as its partner.
pub const ZKA_E_SIZE: zka_status = -2;
/// A point; [`zka_last_error`](crate::zka_last_error) says which.
pub const ZKA_E_NOT_ON_CURVE: zka_status = -3;
/// An element that is not below the modulus.
pub const ZKA_E_NON_CANONICAL: zka_status = -4;
/// No memory, or beyond the limit of the context.
pub const ZKA_E_OOM_HOST: zka_status = -5;
/// No device memory, or beyond the limit of the context.
pub const ZKA_E_OOM_DEVICE: zka_status = -6;
/// A GPU was requested where there is no such.
pub const ZKA_E_NO_DEVICE: zka_status = -7;
/// The driver is too old, or refused.
pub const ZKA_E_DRIVER: zka_status = -8;
/// An input of a lookup is not in its table.
pub const ZKA_E_NOT_IN_TABLE: zka_status = -9;
/// A quotient program is malformed.
pub const ZKA_E_PROGRAM: zka_status = -10;
/// Not for this curve, field or backend.
pub const ZKA_E_UNSUPPORTED: zka_status = -11;
/// [`zka_stream_cancel`](crate::zka_stream_cancel) came first; the outputs are undefined.
pub const ZKA_E_CANCELLED: zka_status = -12;
/// The device failed for good: destroy the context.
pub const ZKA_E_POISONED: zka_status = -13;
/// A division was to be exact and is not.
pub const ZKA_E_REMAINDER: zka_status = -14;
/// A fault of the library.
pub const ZKA_E_INTERNAL: zka_status = -99;

unsafe extern "C" {
    /// The name of a status, such as "ZKA_E_SIZE"; never null.
    pub fn zka_status_name(status: c_int) -> *const c_char;
}
