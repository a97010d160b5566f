//! What is learnt of a circuit at set-up.

use crate::relation::{Group, Layout};

/// The groups of a circuit, over vectors of its layout.
#[derive(Clone, Debug)]
pub struct CircuitShape<F> {
    /// How the vector is laid out.
    pub layout: Layout,
    /// What constrains it.
    pub groups: Vec<Group<F>>,
}
