//! Random relations with all that a relation may have: groups of several polynomials, all kinds of inputs, public
//! inputs, challenges, rounds.

use halo2curves::ff::PrimeField;
use rand_core::RngCore;

use crate::relation::{Expression, Group, Input, Layout, Relation, SparseRows};

/// What a group is to look like.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GroupSample {
    pub(crate) rows: usize,
    pub(crate) polynomials: usize,
    /// Of each polynomial in the vector's entries, at least 1.
    pub(crate) degree: usize,
}

/// What a relation is to look like.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) publics: usize,
    pub(crate) challenges: usize,
    /// At least 1.
    pub(crate) rounds: usize,
    /// Entries of the first round that groups read and nothing constrains, at least 1.
    pub(crate) free: usize,
    pub(crate) groups: Vec<GroupSample>,
}

const CELLS: usize = 3;

/// Inputs of a group: cells, a combination, a public entry, a fixed value, and then the fresh entries.
const READ: usize = CELLS + 2;

impl Sample {
    /// A relation of this look; each polynomial is `p - fresh`, with another entry `fresh` in each.
    pub(crate) fn build<F: PrimeField>(&self, rng: &mut impl RngCore) -> Relation<F> {
        let mut rounds = vec![0; self.rounds];
        rounds[0] = self.free;
        for (number, group) in self.groups.iter().enumerate() {
            rounds[number % self.rounds] += group.rows * group.polynomials;
        }
        let layout = Layout { publics: self.publics, challenges: self.challenges, rounds };
        let public = layout.challenge().end;
        let mut next: Vec<_> = (0..self.rounds).map(|round| layout.round(round).start).collect();
        next[0] += self.free;
        let mut groups = Vec::new();
        for (number, group) in self.groups.iter().enumerate() {
            let own: Vec<Vec<u32>> = (0..group.polynomials)
                .map(|_| {
                    let start = next[number % self.rounds];
                    next[number % self.rounds] += group.rows;
                    (start..start + group.rows).map(|cell| u32::try_from(cell).unwrap()).collect()
                })
                .collect();
            groups.push(group.build(rng, number, public, self.free, &own));
        }
        Relation::new(layout, groups)
    }
}

impl GroupSample {
    fn build<F: PrimeField>(
        &self,
        rng: &mut impl RngCore,
        number: usize,
        public: usize,
        free: usize,
        fresh: &[Vec<u32>],
    ) -> Group<F> {
        let entry = |rng: &mut dyn RngCore, below| u32::try_from(rng.next_u32() as usize % below).unwrap();
        let mut inputs: Vec<Input<F>> = (0..CELLS)
            .map(|_| Input::Cell((0..self.rows).map(|_| entry(rng, public + free)).collect()))
            .collect();
        let mut combinations = SparseRows::new();
        for _ in 0..self.rows {
            let terms = rng.next_u32() % 4;
            let term = |_| {
                (
                    entry(rng, public + free),
                    if rng.next_u32().is_multiple_of(2) { F::ONE } else { F::random(&mut *rng) },
                )
            };
            combinations.push((0..terms).map(term).collect::<Vec<_>>());
        }
        inputs.push(Input::Linear(combinations));
        inputs.push(Input::Cell((0..self.rows).map(|_| entry(rng, public)).collect()));
        inputs.push(Input::Fixed((0..self.rows).map(|_| F::random(&mut *rng)).collect()));
        inputs.extend(fresh.iter().map(|cells| Input::Cell(cells.clone())));
        let polynomials = (0..self.polynomials)
            .map(|output| polynomial(rng, self.degree) - Expression::Input(READ + 1 + output))
            .collect();
        Group::new(number.to_string(), polynomials, inputs)
    }
}

/// A polynomial of a degree, with a fixed factor in a term of the highest, and a constant.
fn polynomial<F: PrimeField>(rng: &mut impl RngCore, degree: usize) -> Expression<F> {
    let term = |rng: &mut dyn RngCore, degree: usize| {
        let mut pick = || Expression::Input(rng.next_u32() as usize % READ);
        let product = (1..degree).fold(pick(), |product, _| product * pick());
        product * F::random(&mut *rng)
    };
    let mixed = term(rng, degree) * Expression::Input(READ);
    (1..=degree).fold(mixed, |sum, degree| sum + term(rng, degree)) - Expression::Constant(F::random(rng))
}
