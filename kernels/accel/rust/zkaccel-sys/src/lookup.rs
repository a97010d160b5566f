//! `zkaccel/lookup.h`: the permuted columns of a lookup argument.

use crate::{
    buffer::zka_buf,
    context::{zka_ctx, zka_stream},
    status::zka_status,
};

/// Which row of a run meets its table value.
pub type zka_permute_order = u32;
/// The last.
pub const ZKA_PERMUTE_LAST_MEETS: zka_permute_order = 0;
/// The first: byte for byte what halo2's CPU prover makes.
pub const ZKA_PERMUTE_FIRST_MEETS: zka_permute_order = 1;

unsafe extern "C" {
    /// A' and S' from the first `usable` rows; `*bad_row` is the first row of `a` that `s` has not.
    pub fn zka_permute_pair(
        a: *const zka_buf,
        s: *const zka_buf,
        usable: usize,
        order: zka_permute_order,
        a_out: *mut zka_buf,
        s_out: *mut zka_buf,
        bad_row: *mut u64,
        stream: *mut zka_stream,
    ) -> zka_status;
    /// The scratch of that call.
    pub fn zka_permute_pair_mem(
        ctx: *const zka_ctx,
        usable: usize,
        host_bytes: *mut u64,
        device_bytes: *mut u64,
    ) -> zka_status;
}
