//! `zkaccel/msm.h`: multi-scalar multiplication.

use std::ffi::c_int;

use crate::{
    buffer::{zka_buf, zka_fe},
    context::{zka_ctx, zka_stream},
    opaque,
    status::zka_status,
};

/// A curve.
pub type zka_curve = u32;
/// G1 of bn256: y^2 = x^3 + 3.
pub const ZKA_CURVE_BN254: zka_curve = 0;
/// Grumpkin: y^2 = x^3 - 17.
pub const ZKA_CURVE_GRUMPKIN: zka_curve = 1;

/// A point; (0, 0) is the identity.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct zka_affine {
    /// The first coordinate.
    pub x: zka_fe,
    /// The second coordinate.
    pub y: zka_fe,
}

/// The point (x/z^2, y/z^3); z = 0 is the identity.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct zka_jacobian {
    /// The first coordinate times z^2.
    pub x: zka_fe,
    /// The second coordinate times z^3.
    pub y: zka_fe,
    /// What the others are divided by.
    pub z: zka_fe,
}

opaque! {
    /// Points that are used again and again.
    zka_bases;
}

unsafe extern "C" {
    /// Copies `n` points; `*bad_index` is the first that a check refuses.
    pub fn zka_bases_create(
        ctx: *mut zka_ctx,
        curve: zka_curve,
        points: *const zka_affine,
        n: usize,
        precompute: u32,
        check: c_int,
        bad_index: *mut usize,
        out: *mut *mut zka_bases,
    ) -> zka_status;
    /// Null is ignored.
    pub fn zka_bases_free(bases: *mut zka_bases);
    /// Their number.
    pub fn zka_bases_len(bases: *const zka_bases) -> usize;
    /// What they would take.
    pub fn zka_bases_mem(
        ctx: *const zka_ctx,
        curve: zka_curve,
        n: usize,
        precompute: u32,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
    /// `out[k]` = sum over `i < n` of `scalars[offset + k * n + i] * bases[first + i]`, for `k < batch`.
    pub fn zka_msm(
        bases: *const zka_bases,
        first: usize,
        scalars: *const zka_buf,
        offset: usize,
        n: usize,
        batch: usize,
        out: *mut zka_jacobian,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The scratch of that call, exactly.
    pub fn zka_msm_mem(
        bases: *const zka_bases,
        n: usize,
        batch: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
    /// The same once, from the caller's memory.
    pub fn zka_msm_once(
        ctx: *mut zka_ctx,
        curve: zka_curve,
        points: *const zka_affine,
        scalars: *const zka_fe,
        n: usize,
        out: *mut zka_jacobian,
    ) -> zka_status;
    /// `out[i]` = `points[i]` with z = 1, or (0, 0).
    pub fn zka_to_affine(
        ctx: *mut zka_ctx,
        curve: zka_curve,
        points: *const zka_jacobian,
        n: usize,
        out: *mut zka_affine,
    ) -> zka_status;
}
