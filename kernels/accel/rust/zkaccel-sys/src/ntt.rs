//! `zkaccel/ntt.h`: number theoretic transforms.

use std::ffi::c_int;

use crate::{
    buffer::{zka_buf, zka_fe},
    context::{zka_ctx, zka_stream},
    opaque,
    status::zka_status,
};

opaque! {
    /// Twiddles for 2^k elements and for an extended domain of 2^extended_k.
    zka_domain;
}

/// Which way a transform goes.
pub type zka_ntt_direction = u32;
/// Coefficients to evaluations.
pub const ZKA_NTT_FORWARD: zka_ntt_direction = 0;
/// Back, with the factor 1/n.
pub const ZKA_NTT_INVERSE: zka_ntt_direction = 1;

/// The order of input and output: N natural, R by the reversed bits of the index.
pub type zka_order = u32;
/// Both as they count.
pub const ZKA_ORDER_NN: zka_order = 0;
/// The output by reversed bits.
pub const ZKA_ORDER_NR: zka_order = 1;
/// The input by reversed bits.
pub const ZKA_ORDER_RN: zka_order = 2;

unsafe extern "C" {
    /// `omega` null: the field's own root; `coset` null: the field's generator 7.
    pub fn zka_domain_create(
        ctx: *mut zka_ctx,
        k: u32,
        extended_k: u32,
        omega: *const zka_fe,
        coset: *const zka_fe,
        out: *mut *mut zka_domain,
    ) -> zka_status;
    /// Null is ignored.
    pub fn zka_domain_free(domain: *mut zka_domain);
    /// What a domain would take.
    pub fn zka_domain_mem(
        ctx: *const zka_ctx,
        k: u32,
        extended_k: u32,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
    /// In place over columns of one length, that of the domain or of its extended domain.
    pub fn zka_ntt(
        domain: *const zka_domain,
        columns: *const *mut zka_buf,
        ncolumns: usize,
        direction: zka_ntt_direction,
        order: zka_order,
        on_coset: c_int,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The scratch of that call for columns of `n` elements.
    pub fn zka_ntt_mem(
        domain: *const zka_domain,
        n: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
    /// Evaluations on the coset of the extended domain.
    pub fn zka_coeff_to_extended(
        domain: *const zka_domain,
        coefficients: *const zka_buf,
        extended: *mut zka_buf,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// Back, in place.
    pub fn zka_extended_to_coeff(
        domain: *const zka_domain,
        extended: *mut zka_buf,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// Evaluations on the coset, each divided by X^n - 1 there.
    pub fn zka_divide_by_vanishing(
        domain: *const zka_domain,
        extended: *mut zka_buf,
        stream: *mut zka_stream,
    ) -> zka_status;
}
