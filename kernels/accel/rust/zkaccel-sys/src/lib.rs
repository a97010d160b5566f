//! The C interface of zkaccel, declared manually: one module for each header of `kernels/accel/include`, whose comments
//! say what each thing does and promises. Names are the header's own. Whoever wants owning handles and slices instead of
//! pointers takes the crate `zkaccel`, which stands on this one.
//!
//! Enumerations are numbers here, as the library takes them: it looks at what it gets. Tests hold the declarations
//! against the header: nothing is missing, and a C compiler finds every type, offset and value the same.
//!
//! The build makes the library part of the program: CMake builds it from `kernels/accel`. Where the environment's
//! `ZKA_LIB_DIR` names a folder, the `libzkaccel.so` there is linked in its place, and at run time the dynamic linker has
//! to find that: `cargo run` and `cargo test` see to it, and without them a run path, which the program's own build
//! script sets, or `LD_LIBRARY_PATH`. "Shipping a prover" in the library's README says how.
//!
//! ```
//! // SAFETY: this call has no conditions.
//! assert_eq!(unsafe { zkaccel_sys::zka_abi_version() }, zkaccel_sys::ZKA_ABI_VERSION);
//! ```
// The header's names, for whoever reads both.
#![allow(non_camel_case_types)]

mod buffer;
mod context;
mod lookup;
mod msm;
mod ntt;
mod polynomial;
mod quotient;
mod status;
mod vector;

pub use buffer::*;
pub use context::*;
pub use lookup::*;
pub use msm::*;
pub use ntt::*;
pub use polynomial::*;
pub use quotient::*;
pub use status::*;
pub use vector::*;

/// An opaque type of the interface: made, held and freed through pointers only.
macro_rules! opaque {
    ($($(#[$documentation:meta])* $name:ident;)*) => {$(
        $(#[$documentation])*
        #[derive(Debug)]
        #[repr(C)]
        pub struct $name {
            _private: [u8; 0],
            _marker: std::marker::PhantomData<(*mut u8, std::marker::PhantomPinned)>,
        }
    )*};
}
pub(crate) use opaque;
