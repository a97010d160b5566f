//! The C interface of zkaccel, declared by hand: one module for each header of `kernels/accel/include`, whose comments
//! say what each thing does and promises. Names are the header's own. Whoever wants owning handles and slices instead of
//! pointers takes the crate `zkaccel`, which stands on this one.
//!
//! Enumerations are numbers here, as the library takes them: it looks at what it gets. Tests hold the declarations
//! against the header: nothing is missing, and a C compiler finds every type, offset and value the same.
//!
//! The build links `libzkaccel.so`: the one in the folder that the environment's `ZKA_LIB_DIR` names, else one that
//! CMake builds from `kernels/accel`. At run time the dynamic linker has to find it: `cargo run` and `cargo test` see to
//! that; without them it takes a run path, which a build script sets from `DEP_ZKACCEL_LIB_DIR`, or `LD_LIBRARY_PATH`.
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
