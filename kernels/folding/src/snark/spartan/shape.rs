//! What both sides know of a relation.

use std::ops::Range;

use halo2curves::ff::PrimeField;

use super::Error;
use super::proof::SCALARS_MAX;
use crate::protogalaxy::betas_for;
use crate::relation::{Group, Relation};
use crate::snark::sumcheck::DEGREE_MAX;

/// The lengths of all that goes into a proof for one relation.
#[derive(Clone, Debug)]
pub struct Shape<'a, F> {
    pub(super) relation: &'a Relation<F>,
    pub(super) groups: Vec<GroupShape<'a, F>>,
    /// The parts of the vector: what is public, then the rounds.
    pub(super) parts: Vec<Range<usize>>,
    /// Whether there is a committed vector of errors, with an entry a constraint's number.
    pub(super) errors: bool,
}

/// A group as a sum-check sees it.
#[derive(Clone, Debug)]
pub(super) struct GroupShape<'a, F> {
    pub(super) group: &'a Group<F>,
    /// The number of its first constraint.
    pub(super) first: usize,
    /// The logarithm of its rows, padded.
    pub(super) variables: usize,
    /// The degree of its polynomials in all inputs, at least 1: over rows, fixed inputs are polynomials as well.
    pub(super) degree: usize,
    /// The first of its rows, padded, among those of all groups.
    pub(super) row: usize,
}

impl<'a, F: PrimeField> Shape<'a, F> {
    /// For `Σ_i w(i) f_i(z) = e`.
    ///
    /// # Errors
    /// [`Error::Empty`] for a relation without groups, others for one beyond the limits of a proof.
    pub fn new(relation: &'a Relation<F>) -> Result<Self, Error> {
        Self::of(relation, false)
    }

    /// For `Σ_i w(i) (f_i(z) - E(i)) = e`, with a committed vector `E`.
    ///
    /// # Errors
    /// [`Error::Empty`] for a relation without groups, others for one beyond the limits of a proof.
    pub fn with_errors(relation: &'a Relation<F>) -> Result<Self, Error> {
        Self::of(relation, true)
    }

    fn of(relation: &'a Relation<F>, errors: bool) -> Result<Self, Error> {
        if relation.groups().is_empty() {
            return Err(Error::Empty);
        }
        let layout = relation.layout();
        let public = 0..layout.challenge().end;
        // Aligned as constraints are: no group has more rows than one before.
        let mut next = 0;
        let groups = relation
            .numbered_groups()
            .map(|(first, group)| {
                let degrees = vec![1; group.inputs().len()];
                let degree = group.expressions().iter().map(|polynomial| polynomial.degree(&degrees)).max();
                let row = next;
                next += group.stride();
                GroupShape {
                    group,
                    first,
                    variables: group.stride().ilog2() as usize,
                    degree: degree.unwrap_or(1).max(1),
                    row,
                }
            })
            .collect();
        let parts = core::iter::once(public).chain((0..layout.rounds.len()).map(|round| layout.round(round)));
        let shape = Self { relation, groups, parts: parts.collect(), errors };
        shape.check_limits()?;
        Ok(shape)
    }

    /// That proofs for the relation have bytes, and its sum-checks rounds.
    fn check_limits(&self) -> Result<(), Error> {
        for (of, found) in [("values of inputs", self.inputs()), ("evaluations", self.evaluations())] {
            if found > SCALARS_MAX {
                return Err(Error::Large { of, found, most: SCALARS_MAX });
            }
        }
        let degree = self.groups.iter().map(|group| group.degree + 1).max().unwrap_or(0);
        if degree > DEGREE_MAX {
            return Err(Error::Large {
                of: "degrees of a row's polynomial",
                found: degree,
                most: DEGREE_MAX,
            });
        }
        Ok(())
    }

    /// How many variables the weight has: the bits of a constraint's number.
    #[must_use]
    pub fn number_variables(&self) -> usize {
        betas_for(self.relation.numbers())
    }

    /// How many coordinates the point has at which rounds, and errors, are evaluated: at least 1, and enough for each.
    #[must_use]
    pub fn column_variables(&self) -> usize {
        let longest = self.parts.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
        let errors = if self.errors { self.number_variables() } else { 0 };
        betas_for(longest).max(errors).max(1)
    }

    /// How many entries of the vector are public.
    pub(super) fn public(&self) -> usize {
        self.parts[0].end
    }

    /// How many variables the sum over rows has: the bits of a row among those of all groups.
    pub(super) fn row_variables(&self) -> usize {
        betas_for(self.groups.iter().map(|group| group.group.stride()).sum())
    }

    /// How many evaluations a proof ends in.
    pub(super) fn evaluations(&self) -> usize {
        self.parts.len() - 1 + usize::from(self.errors)
    }

    /// How many columns inputs take, and a proof has values of: as many as the group with the most inputs.
    pub(super) fn inputs(&self) -> usize {
        self.groups.iter().map(|group| group.group.inputs().len()).max().unwrap_or(0)
    }
}

/// That a part has the length that the relation gives it.
pub(super) fn expect(of: &'static str, expected: usize, found: usize) -> Result<(), Error> {
    if expected == found { Ok(()) } else { Err(Error::Length { of, expected, found }) }
}
