//! What is folded: groups of polynomial constraints over one vector.
//!
//! A relation is a customizable constraint system (CCS, eprint 2023/552) with several polynomials. It is satisfied by a
//! vector `z = (1 | public | challenges | round 1 | .. | round R)` when each polynomial of each group is 0 at each of
//! the group's rows.
//!
//! Constraints are numbered by group, then polynomial, then row. The numbers of a polynomial start at a multiple of a
//! power of two that is at least its rows, so that a row's number is the low bits of its constraint's; numbers in the
//! gaps belong to no constraint, and their values are 0.

mod check;
mod codec;
mod digest;
mod expression;
mod group;
mod instance;
mod layout;
mod program;
mod sparse;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use check::Violation;
pub use expression::Expression;
pub use group::{Group, Input};
pub use instance::Instance;
pub use layout::Layout;
pub use program::{CHUNK, Program, Registers};
pub use sparse::SparseRows;

use halo2curves::ff::PrimeField;

/// Groups of constraints over vectors of one layout.
#[derive(Clone, Debug)]
pub struct Relation<F> {
    layout: Layout,
    groups: Vec<Group<F>>,
}

impl<F: PrimeField> Relation<F> {
    /// A relation of these groups, those with most rows first; those without rows are left out.
    ///
    /// # Panics
    /// When a group reads beyond the layout, which is a mistake of the code that built it.
    #[must_use]
    pub fn new(layout: Layout, groups: Vec<Group<F>>) -> Self {
        let mut groups: Vec<_> = groups.into_iter().filter(|group| group.rows() > 0).collect();
        // Then each group starts at a multiple of its stride: all those before have multiples of it.
        groups.sort_by_key(|group| std::cmp::Reverse(group.stride()));
        for group in &groups {
            assert!(group.reach() <= layout.len(), "group {:?} reads beyond the vector", group.name());
        }
        Self { layout, groups }
    }

    /// How the vector is laid out.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The groups, in the order in which their constraints are numbered.
    #[must_use]
    pub fn groups(&self) -> &[Group<F>] {
        &self.groups
    }

    /// One more than the highest number of a constraint.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.groups.iter().map(Group::numbers).sum()
    }

    /// The highest total degree of a polynomial, at least 1.
    #[must_use]
    pub fn degree(&self) -> usize {
        self.groups.iter().map(Group::degree).max().unwrap_or(1).max(1)
    }

    /// The groups with the number of the first constraint of each.
    pub fn numbered_groups(&self) -> impl Iterator<Item = (usize, &Group<F>)> {
        self.groups.iter().scan(0, |next, group| {
            let first = *next;
            *next += group.numbers();
            Some((first, group))
        })
    }
}
