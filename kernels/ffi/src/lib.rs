//! The builtin provers behind one C ABI (`include/elastic_ffi.h`, which documents each function).
//!
//! The agent loads this library in a child process and calls it synchronously. Nothing unwinds across the
//! border: a panic becomes a status. What ends the process (a segmentation fault, an abort) ends the child
//! only.
//!
//! | Module | Concept |
//! |---|---|
//! | `abi` | the exported functions: pointers in, pointers out |
//! | `control` | the two words that caller and prover share while a proof runs |
//! | `provers` | which provers exist, and their one signature |
//! | `test_provers` | `noop`, `clock`, `echo`, `sleep`, `crash`: only after `elastic_enable_test_provers` |

pub mod abi;
mod control;
mod failure;
mod provers;
mod test_provers;

pub use failure::Status;
