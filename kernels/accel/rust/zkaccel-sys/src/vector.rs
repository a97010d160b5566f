//! `zkaccel/vector.h`: element-wise operations, and products along a vector.

use crate::{
    buffer::{zka_buf, zka_fe},
    context::{zka_ctx, zka_stream},
    status::zka_status,
};

/// An element-wise operation.
pub type zka_vector_op = u32;
/// a + b
pub const ZKA_OP_ADD: zka_vector_op = 0;
/// a - b
pub const ZKA_OP_SUB: zka_vector_op = 1;
/// a * b
pub const ZKA_OP_MUL: zka_vector_op = 2;

unsafe extern "C" {
    /// `out[i]` = `a[i] op b[i]` for `i < n`.
    pub fn zka_vector_op_apply(
        op: zka_vector_op,
        a: *const zka_buf,
        b: *const zka_buf,
        out: *mut zka_buf,
        n: usize,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// `out[i]` = `factor * a[i] + b[i]` for `i < n`; `b` may be null.
    pub fn zka_vector_scale_add(
        factor: *const zka_fe,
        a: *const zka_buf,
        b: *const zka_buf,
        out: *mut zka_buf,
        n: usize,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// `out[i]` = `start * base^i` for `i < n`.
    pub fn zka_vector_powers(
        start: *const zka_fe,
        base: *const zka_fe,
        out: *mut zka_buf,
        n: usize,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// Each of `v[offset..offset + n]` by its inverse; zero stays zero.
    pub fn zka_batch_inverse(v: *mut zka_buf, offset: usize, n: usize, stream: *mut zka_stream)
    -> zka_status;
    /// The scratch of that call.
    pub fn zka_batch_inverse_mem(
        ctx: *const zka_ctx,
        n: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
    /// `z[0]` = `start` and `z[i + 1]` = `z[i] * num[i] / den[i]` for `i < n`.
    pub fn zka_grand_product(
        num: *const zka_buf,
        den: *const zka_buf,
        start: *const zka_fe,
        n: usize,
        z: *mut zka_buf,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The scratch of that call.
    pub fn zka_grand_product_mem(
        ctx: *const zka_ctx,
        n: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
}
