//! `zkaccel/context.h`: contexts and streams.

use std::ffi::c_char;

use crate::{opaque, status::zka_status};

/// The version of the interface that these declarations are of.
pub const ZKA_ABI_VERSION: u32 = 1;

opaque! {
    /// A context: memory, threads or a device, and all that is made in it.
    zka_ctx;
    /// An order of calls.
    zka_stream;
}

/// Where a context computes.
pub type zka_backend = u32;
/// A GPU, and where there is none the CPU.
pub const ZKA_BACKEND_AUTO: zka_backend = 0;
/// The CPU.
pub const ZKA_BACKEND_CPU: zka_backend = 1;
/// A GPU, and nothing else.
pub const ZKA_BACKEND_CUDA: zka_backend = 2;

/// Which instructions the CPU backend uses.
pub type zka_isa = u32;
/// The best there is; the environment's `ZKA_CPU` goes before it.
pub const ZKA_ISA_AUTO: zka_isa = 0;
/// Any CPU's.
pub const ZKA_ISA_PORTABLE: zka_isa = 1;
/// With mulx and adx.
pub const ZKA_ISA_ADX: zka_isa = 2;
/// With AVX-512 IFMA.
pub const ZKA_ISA_IFMA: zka_isa = 3;

/// What a context is made by.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct zka_config {
    /// [`ZKA_ABI_VERSION`].
    pub abi_version: u32,
    /// A [`zka_backend`].
    pub backend: u32,
    /// CUDA's number of the GPU.
    pub device: i32,
    /// Of the CPU backend, the caller's among them; 0: as many as this process may run on.
    pub threads: u32,
    /// A [`zka_isa`].
    pub isa: u32,
    /// 0.
    pub reserved: u32,
    /// The most that buffers, precomputed values and scratch may take together; 0: no limit.
    pub host_bytes_max: u64,
    /// Likewise on the device; 0: most of what is free when the context is made.
    pub device_bytes_max: u64,
}

/// Bytes that a context holds now, and the most that it ever held.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct zka_memory {
    /// On the host, now.
    pub host_bytes: u64,
    /// On the host, at most.
    pub host_bytes_peak: u64,
    /// On the device, now.
    pub device_bytes: u64,
    /// On the device, at most.
    pub device_bytes_peak: u64,
}

unsafe extern "C" {
    /// The version of the library's interface.
    pub fn zka_abi_version() -> u32;
    /// The caller owns `*out` and ends it with [`zka_ctx_destroy`].
    pub fn zka_ctx_create(config: *const zka_config, out: *mut *mut zka_ctx) -> zka_status;
    /// Ends what is on its streams and frees all that was made in it. Null is ignored.
    pub fn zka_ctx_destroy(ctx: *mut zka_ctx);
    /// What went wrong in the last failed call of this thread; valid until its next failed call; never null.
    pub fn zka_last_error(ctx: *const zka_ctx) -> *const c_char;
    /// A description in JSON, where `cap_bytes` suffices; `*need` is its length with the final zero.
    pub fn zka_device_info(
        ctx: *const zka_ctx,
        json: *mut c_char,
        cap_bytes: usize,
        need: *mut usize,
    ) -> zka_status;
    /// What the context holds.
    pub fn zka_memory_used(ctx: *const zka_ctx, out: *mut zka_memory) -> zka_status;
    /// The caller owns `*out` and ends it with [`zka_stream_destroy`].
    pub fn zka_stream_create(ctx: *mut zka_ctx, out: *mut *mut zka_stream) -> zka_status;
    /// Waits for all that was queued; returns the first failure since the last sync.
    pub fn zka_stream_sync(stream: *mut zka_stream) -> zka_status;
    /// From any thread: what is queued or under way ends soon with `ZKA_E_CANCELLED`, until the next sync.
    pub fn zka_stream_cancel(stream: *mut zka_stream) -> zka_status;
    /// Waits first. Null is ignored.
    pub fn zka_stream_destroy(stream: *mut zka_stream);
}
