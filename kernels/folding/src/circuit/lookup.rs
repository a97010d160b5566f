//! Lookups by logarithmic derivatives (logUp, eprint 2022/1530): a table's tuples `t` and the tuples `a` looked up in it
//! satisfy `Σ 1 / (r + a) = Σ m / (r + t)` for multiplicities `m`, at a random `r`.
//!
//! Tuples become elements by powers of another challenge. The challenges are `r`, then those powers from the first on:
//! challenges fold linearly, products of them do not. `m` is in the first round, the summands `h = 1 / (r + a)` and
//! `g = m / (r + t)` in the second. That the sums agree is a row like any other.

use halo2curves::ff::{BatchInvert as _, PrimeField};

use super::builder::index;
use super::step::PlacedStep;
use super::{Circuit, Linear, Variable};
use crate::frontend::{Lookup, StepShape, Tuples};
use crate::relation::{Expression, Group, Input, Layout, SparseRows};

/// The challenges that a step of this shape has: none without lookups.
#[must_use]
pub fn challenges<F: PrimeField>(shape: &StepShape<F>) -> usize {
    shape.tables.iter().map(Tuples::width).max().unwrap_or(0)
}

/// The challenges of two that were drawn: `r`, then powers of the one that combines tuples.
#[must_use]
pub fn challenge_values<F: PrimeField>(count: usize, r: F, combiner: F) -> Vec<F> {
    let powers = std::iter::successors(Some(combiner), |power| Some(*power * combiner));
    std::iter::once(r).chain(powers).take(count).collect()
}

/// [`challenge_values`] in a circuit that draws the challenges of an instance.
pub fn challenges_in_circuit<F: PrimeField>(
    circuit: &mut Circuit<F>,
    count: usize,
    [r, combiner]: [Linear<F>; 2],
) -> Vec<Linear<F>> {
    let mut challenges = vec![r, combiner.clone()];
    while challenges.len() < count {
        let power = circuit.product(&challenges[challenges.len() - 1], &combiner);
        challenges.push(power);
    }
    challenges.truncate(count);
    challenges
}

/// Sets the challenges and the second round aside; gives the first number of the latter.
pub(super) fn reserve<F: PrimeField>(circuit: &mut Circuit<F>, shape: &StepShape<F>) -> u32 {
    for _ in 0..challenges(shape) {
        circuit.challenge(F::ZERO);
    }
    circuit.witnesses_in(1, &vec![F::ZERO; summands(shape)])
}

fn summands<F: PrimeField>(shape: &StepShape<F>) -> usize {
    let looked_up = shape.lookups.iter().map(|lookup| lookup.rows.len());
    looked_up.chain(shape.tables.iter().map(Tuples::len)).sum()
}

impl<F: PrimeField> PlacedStep<F> {
    /// Fills in the challenges and the second round of a vector whose first round is complete.
    ///
    /// A tuple that is in no table gives sums that differ, so that the vector does not satisfy its relation.
    pub fn second_round(&self, layout: &Layout, vector: &mut [F], challenges: &[F]) {
        let shape = self.shape();
        if shape.tables.is_empty() {
            return;
        }
        vector[layout.challenge()].copy_from_slice(challenges);
        let values = self.values(layout, vector);
        let combine = |tuple: &[F]| {
            let rest: F =
                tuple[1..].iter().zip(&challenges[1..]).map(|(element, power)| *element * power).sum();
            challenges[0] + tuple[0] + rest
        };
        let mut denominators = Vec::with_capacity(summands(shape));
        for lookup in &shape.lookups {
            let tuple = |row| {
                let operands = lookup.rows.row(row);
                let input = |input: usize| shape.constants.value(operands[input], &values);
                lookup.expressions.iter().map(|element| element.evaluate(&input)).collect::<Vec<F>>()
            };
            denominators.extend((0..lookup.rows.len()).map(|row| combine(&tuple(row))));
        }
        let looked_up = denominators.len();
        for table in &shape.tables {
            denominators.extend(table.elements().chunks(table.width()).map(combine));
        }
        denominators.iter_mut().batch_invert();
        let multiplicities = index(layout, Variable::Witness(0, self.multiplicities)) as usize;
        for (g, number) in denominators[looked_up..].iter_mut().zip(multiplicities..) {
            *g *= vector[number];
        }
        let second = index(layout, Variable::Witness(1, self.second)) as usize;
        vector[second..second + denominators.len()].copy_from_slice(&denominators);
    }
}

/// The rows of all lookups of a step, and those of its tables.
pub(super) fn groups<F: PrimeField>(step: &PlacedStep<F>, layout: &Layout) -> Vec<Group<F>> {
    let shape = step.shape();
    if shape.tables.is_empty() {
        return Vec::new();
    }
    let mut next = index(layout, Variable::Witness(1, step.second));
    let mut groups = Vec::new();
    let mut sums: Vec<Vec<(u32, F)>> = vec![Vec::new(); shape.tables.len()];
    for lookup in &shape.lookups {
        let summands = take(&mut next, lookup.rows.len());
        sums[lookup.table].extend(summands.iter().map(|h| (*h, F::ONE)));
        groups.push(looked_up(step, layout, lookup, summands));
    }
    let mut multiplicities = index(layout, Variable::Witness(0, step.multiplicities));
    for (number, table) in shape.tables.iter().enumerate() {
        let summands = take(&mut next, table.len());
        let multiplicities = take(&mut multiplicities, table.len());
        sums[number].extend(summands.iter().map(|g| (*g, -F::ONE)));
        let column = |element: usize| (0..table.len()).map(move |row| table.tuple(row)[element]).collect();
        let tuple: Vec<_> = (0..table.width()).map(|element| Input::Fixed(column(element))).collect();
        groups.push(table_rows(layout, tuple, summands, multiplicities));
    }
    let mut balanced = SparseRows::new();
    sums.into_iter().for_each(|sum| balanced.push(sum));
    groups.push(Group::new("lookup sums", vec![Expression::Input(0)], vec![Input::Linear(balanced)]));
    groups
}

fn take(next: &mut u32, count: usize) -> Vec<u32> {
    let first = *next;
    *next += u32::try_from(count).expect("a circuit has fewer than 2^32 variables");
    (first..*next).collect()
}

/// `h (r + a) = 1`.
fn looked_up<F: PrimeField>(
    step: &PlacedStep<F>,
    layout: &Layout,
    lookup: &Lookup<F>,
    summands: Vec<u32>,
) -> Group<F> {
    let rows = summands.len();
    let mut inputs = step.inputs_of(layout, &lookup.rows);
    let (denominator, h) =
        (denominator(lookup.expressions.clone(), inputs.len()), inputs.len() + lookup.expressions.len());
    inputs.extend(challenge_inputs(layout, lookup.expressions.len(), rows));
    inputs.push(Input::Cell(summands));
    let product = Expression::Input(h) * denominator - Expression::Constant(F::ONE);
    Group::new(format!("lookup {}", lookup.name), vec![product], inputs)
}

/// `g (r + t) = m`.
fn table_rows<F: PrimeField>(
    layout: &Layout,
    tuple: Vec<Input<F>>,
    summands: Vec<u32>,
    multiplicities: Vec<u32>,
) -> Group<F> {
    let (width, rows) = (tuple.len(), summands.len());
    let elements = (0..width).map(Expression::Input).collect();
    let mut inputs = tuple;
    inputs.extend(challenge_inputs(layout, width, rows));
    inputs.extend([Input::Cell(summands), Input::Cell(multiplicities)]);
    let product =
        Expression::Input(2 * width) * denominator(elements, width) - Expression::Input(2 * width + 1);
    Group::new("lookup table", vec![product], inputs)
}

/// `r` plus the combined tuple, where the challenges are the inputs from `first` on.
fn denominator<F: PrimeField>(tuple: Vec<Expression<F>>, first: usize) -> Expression<F> {
    let mut elements = tuple.into_iter();
    let start = Expression::Input(first) + elements.next().unwrap_or(Expression::Constant(F::ZERO));
    elements.zip(first + 1..).fold(start, |sum, (element, power)| sum + element * Expression::Input(power))
}

/// `r`, and the powers that a tuple of this width takes, at each of so many rows.
fn challenge_inputs<F: PrimeField>(layout: &Layout, width: usize, rows: usize) -> Vec<Input<F>> {
    let challenge =
        |number| index(layout, Variable::Challenge(u32::try_from(number).expect("tuples are short")));
    (0..width).map(|number| Input::Cell(vec![challenge(number); rows])).collect()
}
