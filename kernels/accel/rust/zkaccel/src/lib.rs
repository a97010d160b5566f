//! Acceleration for provers over bn256 (BN254) and grumpkin: multi-scalar multiplication, number theoretic transforms,
//! quotient evaluation, folds and divisions of polynomials, inverses, grand products and the permuted columns of
//! lookups. This crate is the safe side of the C library zkaccel, in `kernels/accel`, which computes on the CPU, with
//! AVX-512 IFMA, mulx and adx or neither, or on a GPU where a plug-in for it is next to the library.
//!
//! Everything is made in a [`Context`] and keeps it alive. Operations are methods of a [`Queue`]:
//! [`Context::at_once`] has one whose calls are done when they return, [`Stream::scope`] one whose calls are waited for
//! together.
//!
//! ```
//! use zkaccel::{Buffer, Config, Context, Domain, Transform, limbs::Fr};
//!
//! let context = Context::new(&Config::default())?;
//! let queue = context.at_once();
//!
//! // The polynomial 1 + 2X at the two square roots of 1: at 1 it is 3, and at -1 it is -1.
//! let mut column = Buffer::<Fr>::new(&context, 2)?;
//! queue.write_canonical(&mut column, 0, &[[1, 0, 0, 0], [2, 0, 0, 0]])?;
//! let domain = Domain::new(&context, 1, 1)?;
//! queue.ntt(&domain, &mut [&mut column], Transform::FORWARD)?;
//!
//! let mut values = [[0; 4]; 2];
//! context.at_once().read_canonical(&column, 0, &mut values)?;
//! assert_eq!(values[0], [3, 0, 0, 0]);
//! assert_eq!(values[1], [0x43e1f593f0000000, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029]);
//! # Ok::<(), zkaccel::Error>(())
//! ```
//!
//! # Elements and points
//!
//! Buffers hold any [`Element`] and bases any [`Affine`] point: types with the library's layout in memory. With
//! the features `halo2curves` and `halo2curves-axiom` those of these crates do, as they are, so that nothing is
//! converted or copied on the way; arkworks' `Fp` has the same limbs in the same form. [`limbs`] has bare ones. Types of
//! other releases are other types: a prover takes halo2curves 0.9 or halo2curves-axiom 0.7.3, or what this crate
//! exports under those names.
//!
//! ```
//! # #[cfg(feature = "halo2curves")] {
//! use zkaccel::halo2curves::{bn256::{Fr, G1, G1Affine}, ff::Field, group::Curve};
//! use zkaccel::{Bases, BasesOptions, Buffer, Config, Context};
//!
//! let context = Context::new(&Config::default())?;
//! let bases = Bases::new(&context, &[G1Affine::generator(); 2], BasesOptions::default())?;
//! let scalars = Buffer::of(&context, &[Fr::ONE, Fr::from(2)])?;
//! assert_eq!(bases.msm(&scalars)?.to_affine(), (G1::generator() * Fr::from(3)).to_affine());
//! # }
//! # Ok::<(), zkaccel::Error>(())
//! ```
//!
//! # Failures and limits
//!
//! Nothing panics on a wrong size or value: each call returns a [`Result`], whose [`Error`] has a [`Status`], words, and
//! where one is known the index of a point or the row of a lookup. Memory that grows with a call is counted
//! ([`Context::memory`]) and bounded ([`Config::host_bytes_max`]), and functions that end in `_bytes` predict
//! what a call takes.
//!
//! # Threads
//!
//! All types but [`Queue`] may be sent to and shared by threads: what may not happen at the same time takes `&mut`.
//! Results do not depend on the number of threads. A buffer is borrowed for a call alone: on a GPU, what one queue still
//! does to it and what another one finds there are in no order until the scope of the first has ended.

mod buffer;
mod context;
mod curve_crates;
mod element;
mod error;
mod handle;
mod host_memory;
pub mod limbs;
mod lookup;
mod msm;
mod ntt;
mod polynomial;
mod queue;
mod quotient;
mod stream;
mod vector;

pub use buffer::Buffer;
pub use context::{Backend, Bytes, Config, Context, Isa, MemoryUse};
pub use element::{Affine, Curve, Element, Field, TransformElement};
pub use error::{Error, Result, Status};
pub use host_memory::HostMemory;
pub use lookup::PermuteOrder;
pub use msm::{Bases, BasesOptions};
pub use ntt::{Direction, Domain, Order, Transform};
pub use queue::Queue;
pub use quotient::{Instruction, Operand, Operation, Program, ProgramSource};
pub use stream::{Canceller, Stream};
pub use vector::VectorOp;

/// Whose elements and points this crate takes as they are.
#[cfg(feature = "halo2curves")]
pub use halo2curves;
/// Whose elements and points this crate takes as they are.
#[cfg(feature = "halo2curves-axiom")]
pub use halo2curves_axiom;
