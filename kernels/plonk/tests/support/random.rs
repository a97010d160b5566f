//! Random circuits, each of a seed: columns, gates up to degree 9 over neighbouring rows, lookups, copies, constants, instances, and
//! up to three phases with challenges between them.

mod circuit;
mod expression;
mod fuzz;
mod spec;
mod witness;

pub(crate) use circuit::Random;
pub(crate) use fuzz::check;
pub(crate) use spec::Spec;
