//! `zkaccel/polynomial.h`: what opening polynomials takes.

use std::ffi::c_int;

use crate::{
    buffer::{zka_buf, zka_fe},
    context::{zka_ctx, zka_stream},
    status::zka_status,
};

unsafe extern "C" {
    /// `out` = sum over `i < m` of `factor^i * (polys[i] - low[i])`.
    pub fn zka_poly_fold(
        polys: *const *const zka_buf,
        m: usize,
        factor: *const zka_fe,
        low: *const *const zka_fe,
        low_len: *const usize,
        out: *mut zka_buf,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The first `n` coefficients divided by the product of `X - roots[i]`, in place: the quotient, then zeros.
    pub fn zka_poly_div_roots(
        poly: *mut zka_buf,
        n: usize,
        roots: *const zka_fe,
        nroots: usize,
        exact: c_int,
        remainders: *mut zka_fe,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The scratch of that call.
    pub fn zka_poly_div_roots_mem(
        ctx: *const zka_ctx,
        n: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
    /// `out[i * npoints + j]` = `polys[i]` at `points[j]`.
    pub fn zka_poly_eval(
        polys: *const *const zka_buf,
        m: usize,
        points: *const zka_fe,
        npoints: usize,
        out: *mut zka_fe,
        stream: *mut zka_stream,
    ) -> zka_status;
}
