//! The older way: two circuits, each of which folds the other's instances by cross terms.
//!
//! One instance a step and side. The verifier multiplies a point for each cross term, so that its circuit grows with the
//! degree of the step's gates, which is why [`super::IVC`] replaces it. Nova (eprint 2021/370) with gates of any degree; the
//! last secondary instance binds both accumulators, as eprint 2023/969 has it.

#![expect(deprecated, reason = "the parts of what is deprecated")]

mod advance;
mod circuit;
mod computation;
mod half;
mod parameters;
mod public_params;
mod state;
mod verify;

pub use computation::IVC;
pub use public_params::PublicParams;

#[cfg(test)]
mod tests;
