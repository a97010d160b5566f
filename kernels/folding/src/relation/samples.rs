//! Random relations, and vectors that satisfy them, for tests.

pub(crate) mod mixed;

use halo2curves::ff::Field as _;
use rand_core::RngCore;

use super::{Expression, Group, Input, Layout, Relation, SparseRows};

/// The field of the samples.
pub(crate) type F = halo2curves::bn256::Fr;

/// A polynomial of up to this degree in `inputs` inputs, the last of which is fixed and scales one term.
fn polynomial(rng: &mut impl RngCore, inputs: usize, degree: usize) -> Expression<F> {
    let term = |rng: &mut _, degree| {
        (1..degree).fold(pick(rng, inputs - 1), |product, _| product * pick(rng, inputs - 1))
            * F::random(&mut *rng)
    };
    let mixed = term(rng, degree) * Expression::Input(inputs - 1);
    (1..=degree).fold(mixed, |sum, degree| sum + term(rng, degree)) - Expression::Constant(F::random(rng))
}

fn pick(rng: &mut impl RngCore, inputs: usize) -> Expression<F> {
    Expression::Input(rng.next_u32() as usize % inputs)
}

/// A relation of groups of these degrees, with one public input, one round, and a satisfying vector.
///
/// The last variable input of each row's polynomial is a fresh entry that makes it 0: each polynomial is `p - fresh`.
pub(crate) fn satisfied(
    rng: &mut impl RngCore,
    degrees: &[usize],
    rows: usize,
    public: F,
) -> (Relation<F>, Vec<F>) {
    let shape = shape(rng, degrees, rows);
    let z = shape.assign(rng, public);
    (shape.relation, z)
}

/// A relation whose satisfying vectors are easy to make.
pub(crate) struct Shape {
    pub(crate) relation: Relation<F>,
    free: usize,
}

const FREE: usize = 16;
const CELLS: usize = 4;

/// A random relation: one group a degree.
pub(crate) fn shape(rng: &mut impl RngCore, degrees: &[usize], rows: usize) -> Shape {
    let mut groups = Vec::new();
    let first_free = 2;
    let mut next = first_free + FREE;
    for (number, degree) in degrees.iter().enumerate() {
        // Groups have different numbers of rows, so that no chunk or power of two is special.
        let rows = rows + 3 * number;
        let entry =
            |rng: &mut dyn RngCore| u32::try_from(rng.next_u32() as usize % (first_free + FREE)).unwrap();
        let mut inputs: Vec<_> =
            (0..CELLS - 1).map(|_| Input::Cell((0..rows).map(|_| entry(rng)).collect())).collect();
        let mut combinations = SparseRows::new();
        for _ in 0..rows {
            let terms = rng.next_u32() as usize % 4;
            combinations.push((0..terms).map(|_| (entry(rng), F::random(&mut *rng))).collect::<Vec<_>>());
        }
        inputs.push(Input::Linear(combinations));
        inputs.push(Input::Fixed((0..rows).map(|_| F::random(&mut *rng)).collect()));
        let polynomial = polynomial(rng, inputs.len(), *degree);
        inputs.push(Input::Cell((next..next + rows).map(|cell| u32::try_from(cell).unwrap()).collect()));
        next += rows;
        let expression = polynomial - Expression::Input(inputs.len() - 1);
        groups.push(Group::new(format!("degree {degree}"), vec![expression], inputs));
    }
    let layout = Layout { publics: 1, challenges: 0, rounds: vec![next - 2] };
    Shape { relation: Relation::new(layout, groups), free: FREE }
}

impl Shape {
    /// A random vector that satisfies the relation, with this public input.
    pub(crate) fn assign(&self, rng: &mut impl RngCore, public: F) -> Vec<F> {
        let mut z = vec![F::ZERO; self.relation.layout().len()];
        z[0] = F::ONE;
        z[1] = public;
        for value in &mut z[2..2 + self.free] {
            *value = F::random(&mut *rng);
        }
        let values = self.relation.values(&z);
        for (first, group) in self.relation.numbered_groups() {
            let Some(Input::Cell(fresh)) = group.inputs().last() else {
                unreachable!("samples end in a cell")
            };
            for (row, cell) in fresh.iter().enumerate() {
                z[*cell as usize] = values[first + row];
            }
        }
        z
    }
}
