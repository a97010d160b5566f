//! Contexts: where everything is made, and what it takes.

use std::{ffi::CStr, ptr::null_mut, sync::Arc};

use zkaccel_sys as sys;

use crate::{
    error::{Error, Result},
    queue::Queue,
};

/// Where a context computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// On a GPU, and where there is none on the CPU: [`Context::describe`] says which, and why.
    #[default]
    Auto,
    /// On the CPU.
    Cpu,
    /// On a GPU, or not at all: there is no falling back.
    Cuda,
}

/// Which instructions the CPU backend uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isa {
    /// The best there is; the environment's `ZKA_CPU=portable|adx|ifma` goes before it.
    #[default]
    Auto,
    /// Any CPU's.
    Portable,
    /// With mulx and adx.
    Adx,
    /// With AVX-512 IFMA.
    Ifma,
}

/// What a context is made by. The default takes the best backend, all threads and no limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Where it computes.
    pub backend: Backend,
    /// CUDA's number of the GPU; ignored on the CPU.
    pub device: i32,
    /// Threads of the CPU backend, the caller's among them; 0: as many as this process may run on.
    pub threads: u32,
    /// Instructions of the CPU backend.
    pub isa: Isa,
    /// The most bytes that buffers, precomputed values and scratch may take together; 0: no limit.
    pub host_bytes_max: u64,
    /// Likewise on the device; 0: most of what is free when the context is made.
    pub device_bytes_max: u64,
}

/// Bytes on the host and on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bytes {
    /// On the host.
    pub host: u64,
    /// On the device.
    pub device: u64,
}

/// What a context holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// At this time.
    pub now: Bytes,
    /// The most that it ever was.
    pub peak: Bytes,
}

/// A context: memory, and threads or a device. It may be used from any number of threads, whose calls on the CPU take
/// turns. Clones are the same context. What is made in a context keeps it alive.
#[derive(Clone, Debug)]
pub struct Context(Arc<Owned>);

#[derive(Debug)]
struct Owned(*mut sys::zka_ctx);

// SAFETY: the library's contexts may be used from several threads.
unsafe impl Send for Owned {}
// SAFETY: as above.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: nothing else holds it, since all that was made in it has a clone of the `Arc`.
        unsafe { sys::zka_ctx_destroy(self.0) };
    }
}

impl Context {
    /// Makes a context.
    ///
    /// # Errors
    ///
    /// `Unsupported` for instructions that the CPU lacks; `NoDevice` and `Driver` for [`Backend::Cuda`]; memory.
    pub fn new(config: &Config) -> Result<Self> {
        let config = sys::zka_config {
            abi_version: sys::ZKA_ABI_VERSION,
            backend: match config.backend {
                Backend::Auto => sys::ZKA_BACKEND_AUTO,
                Backend::Cpu => sys::ZKA_BACKEND_CPU,
                Backend::Cuda => sys::ZKA_BACKEND_CUDA,
            },
            device: config.device,
            threads: config.threads,
            isa: match config.isa {
                Isa::Auto => sys::ZKA_ISA_AUTO,
                Isa::Portable => sys::ZKA_ISA_PORTABLE,
                Isa::Adx => sys::ZKA_ISA_ADX,
                Isa::Ifma => sys::ZKA_ISA_IFMA,
            },
            reserved: 0,
            host_bytes_max: config.host_bytes_max,
            device_bytes_max: config.device_bytes_max,
        };
        let mut context = null_mut();
        // SAFETY: both pointers are to locals.
        let status = unsafe { sys::zka_ctx_create(&config, &mut context) };
        Error::check(null_mut(), status)?;
        Ok(Self(Arc::new(Owned(context))))
    }

    pub(crate) fn raw(&self) -> *mut sys::zka_ctx {
        self.0.0
    }

    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn check(&self, status: sys::zka_status) -> Result<()> {
        Error::check(self.raw(), status)
    }

    /// Where calls are done when they return. Take a new one for each call that reads or writes your memory: one that is
    /// held in a variable borrows all that it was ever given until it is dropped, as a stream's has to.
    #[must_use]
    pub fn at_once<'env>(&self) -> Queue<'env> {
        Queue::new(self.clone(), null_mut())
    }

    /// A JSON object: backend, isa, threads, name, memory, and why [`Backend::Auto`] fell back.
    ///
    /// # Errors
    ///
    /// None that is known.
    pub fn describe(&self) -> Result<String> {
        let mut bytes = vec![0u8; 256];
        loop {
            let mut needed = 0;
            // SAFETY: the text goes to a vector of the length that was returned.
            let status = unsafe {
                sys::zka_device_info(self.raw(), bytes.as_mut_ptr().cast(), bytes.len(), &mut needed)
            };
            if status == sys::ZKA_E_SIZE && needed > bytes.len() {
                bytes.resize(needed, 0);
                continue;
            }
            self.check(status)?;
            let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
            return Ok(text.to_string_lossy().into_owned());
        }
    }

    /// Bytes that the context holds.
    ///
    /// # Errors
    ///
    /// None that is known.
    pub fn memory(&self) -> Result<MemoryUse> {
        let mut used =
            sys::zka_memory { host_bytes: 0, host_bytes_peak: 0, device_bytes: 0, device_bytes_peak: 0 };
        // SAFETY: the result goes to a local.
        self.check(unsafe { sys::zka_memory_used(self.raw(), &mut used) })?;
        Ok(MemoryUse {
            now: Bytes { host: used.host_bytes, device: used.device_bytes },
            peak: Bytes { host: used.host_bytes_peak, device: used.device_bytes_peak },
        })
    }

    /// What `plan` writes through its two pointers.
    pub(crate) fn bytes(&self, plan: impl FnOnce(*mut u64, *mut u64) -> sys::zka_status) -> Result<Bytes> {
        let mut bytes = Bytes::default();
        self.check(plan(&mut bytes.host, &mut bytes.device))?;
        Ok(bytes)
    }
}
