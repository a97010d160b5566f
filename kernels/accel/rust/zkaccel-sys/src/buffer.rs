//! `zkaccel/buffer.h`: field elements, and the arrays of them that a backend keeps.

use std::ffi::c_void;

use crate::{
    context::{zka_ctx, zka_stream},
    opaque,
    status::zka_status,
};

/// A field of bn256; grumpkin has them the other way round.
pub type zka_field = u32;
/// The field of its scalars.
pub const ZKA_FIELD_BN254_FR: zka_field = 0;
/// The field of its points' coordinates.
pub const ZKA_FIELD_BN254_FQ: zka_field = 1;

/// An element: four limbs, the least significant first, in Montgomery form unless said otherwise.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct zka_fe {
    /// The limbs.
    pub l: [u64; 4],
}

opaque! {
    /// An array of elements.
    zka_buf;
}

/// How elements look outside.
pub type zka_form = u32;
/// In Montgomery form.
pub const ZKA_FORM_MONTGOMERY: zka_form = 0;
/// The value itself.
pub const ZKA_FORM_CANONICAL: zka_form = 1;

unsafe extern "C" {
    /// `n` elements, all zero.
    pub fn zka_buf_alloc(ctx: *mut zka_ctx, field: zka_field, n: usize, out: *mut *mut zka_buf)
    -> zka_status;
    /// Null is ignored.
    pub fn zka_buf_free(buf: *mut zka_buf);
    /// Its number of elements.
    pub fn zka_buf_len(buf: *const zka_buf) -> usize;
    /// Copies `n` elements to `buf[offset..]`.
    pub fn zka_buf_write(
        buf: *mut zka_buf,
        offset: usize,
        from: *const zka_fe,
        n: usize,
        form: zka_form,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// Copies `buf[offset..offset + n]` out.
    pub fn zka_buf_read(
        buf: *const zka_buf,
        offset: usize,
        to: *mut zka_fe,
        n: usize,
        form: zka_form,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// Copies `n` elements between buffers, which may be the same.
    pub fn zka_buf_copy(
        to: *mut zka_buf,
        to_offset: usize,
        from: *const zka_buf,
        from_offset: usize,
        n: usize,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// Memory that a device reads without an intermediate copy. Freed by [`zka_host_free`].
    pub fn zka_host_alloc(ctx: *mut zka_ctx, bytes: usize, out: *mut *mut c_void) -> zka_status;
    /// Frees what [`zka_host_alloc`] gave.
    pub fn zka_host_free(ctx: *mut zka_ctx, memory: *mut c_void);
}
