//! The public interface: one program, since each compiles much of the library anew.

mod handles;
mod refusals;
mod streams;
