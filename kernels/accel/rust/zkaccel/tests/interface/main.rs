//! The public interface: one program, since each compiles much of the library again.

mod handles;
mod refusals;
mod streams;
