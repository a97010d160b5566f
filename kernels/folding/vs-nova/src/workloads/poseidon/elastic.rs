//! The chain for elastic-folding: a column in which each hash takes 79 rows, all of them inputs of S-boxes but the last,
//! which is the hash and the input of the next one.

use std::sync::LazyLock;

use elastic_folding::{
    frontend::{
        Advice, AssignedCell, Column, ConstraintSystem, Constraints, Expression, Fixed, Layouter, Rotation,
        Selector, StepCircuit, SynthesisError, Value, VirtualCells,
    },
    poseidon::Spec,
};
use halo2curves::{bn256::Fr, ff::Field};

use super::{
    PoseidonChain,
    constants::{WIDTH, fifth_power},
};
use crate::{
    elastic::{Backend, Elastic, ElasticWorkload, Stepped},
    side::Side,
};

/// Rounds are those of the library's own oracle, at the width that circomlib hashes two elements with.
static SPEC: LazyLock<Spec<Fr, WIDTH, 2>> =
    LazyLock::new(|| Spec::reference().expect("x^5 permutes bn256's scalars"));

/// Rows from one hash to the next.
const STRIDE: usize = 79;
/// Where the partial rounds' inputs begin and end.
const PARTIAL: std::ops::Range<usize> = 10..67;
/// Partial rounds whose inputs one row of the gate makes.
const BLOCK: usize = 9;
/// Where the inputs of a full round begin whose output is another full round's input.
const FULL: [usize; 5] = [1, 4, 67, 70, 73];
/// Where those of the last full round before the partial ones begin, and those of the last of all.
const ENTER: usize = 7;
const LAST: usize = 76;

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct ChainCircuit {
    hashes: usize,
}

/// Where it is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChainConfig {
    column: Column<Advice>,
    /// What is added to an input of a full or partial round.
    constant: Column<Fixed>,
    first: Selector,
    full: Selector,
    enter: Selector,
    partial: Selector,
    leave: Selector,
    last: Selector,
}

impl Stepped<1> for PoseidonChain {
    type Circuit = ChainCircuit;

    fn circuit(&self, (): &()) -> ChainCircuit {
        ChainCircuit { hashes: self.hashes }
    }

    fn values(&self) -> usize {
        STRIDE * self.hashes
    }
}

impl ElasticWorkload for PoseidonChain {
    fn elastic(&self, backend: Backend) -> Box<dyn Side<Self>> {
        Box::new(Elastic::new(self.clone(), backend))
    }
}

impl StepCircuit<1, Fr> for ChainCircuit {
    type Config = ChainConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> ChainConfig {
        let config = ChainConfig {
            column: cs.advice_column(),
            constant: cs.fixed_column(),
            first: cs.selector(),
            full: cs.selector(),
            enter: cs.selector(),
            partial: cs.selector(),
            leave: cs.selector(),
            last: cs.selector(),
        };
        cs.enable_equality(config.column);
        config.gates(cs);
        config
    }

    fn synthesize_step(
        &self,
        config: ChainConfig,
        layouter: &mut impl Layouter<Fr>,
        [x]: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let constants = constants();
        let output = layouter.assign_region(
            || "chain",
            |mut region| {
                let mut x = x.copy_advice(|| "x", &mut region, config.column, 0)?;
                for hash in 0..self.hashes {
                    let at = hash * STRIDE;
                    config.first.enable(&mut region, at)?;
                    for row in FULL {
                        config.full.enable(&mut region, at + row)?;
                    }
                    config.enter.enable(&mut region, at + ENTER)?;
                    for row in PARTIAL.step_by(BLOCK).take((PARTIAL.len() - WIDTH) / BLOCK) {
                        config.partial.enable(&mut region, at + row)?;
                    }
                    config.leave.enable(&mut region, at + PARTIAL.end - WIDTH)?;
                    config.last.enable(&mut region, at + LAST)?;
                    for (row, constant) in &constants {
                        region.assign_fixed(
                            || "constant",
                            config.constant,
                            at + row,
                            || Value::known(*constant),
                        )?;
                    }
                    let values = x.value().map(|x| witness(*x));
                    for row in 1..=STRIDE {
                        let value = values.as_ref().map(|values| values[row - 1]);
                        x = region.assign_advice(|| "state", config.column, at + row, || value)?;
                    }
                }
                Ok(x)
            },
        )?;
        Ok([output])
    }
}

impl ChainConfig {
    fn gates(self, cs: &mut ConstraintSystem<Fr>) {
        let (round, mds, maps) = (SPEC.round_constants(), SPEC.mds(), SPEC.recurrence());
        let inline = Expression::Constant;
        cs.create_gate("first round", |cells| {
            let x = self.state(cells, 0);
            let [_, left, right] = round[0];
            let capacity = inline(fifth_power(round[0][0]));
            let outputs = [capacity, fifth(x.clone() + inline(left)), fifth(x + inline(right))];
            let next: Vec<_> = (0..WIDTH)
                .map(|at| combination(&mds[at], &outputs) + inline(round[1][at]) - self.state(cells, 1 + at))
                .collect();
            Constraints::with_selector(self.first, next)
        });
        cs.create_gate("full round", |cells| {
            let outputs = self.fifths(cells, 0);
            let next: Vec<_> = (0..WIDTH)
                .map(|at| {
                    let constant = cells.query_fixed(self.constant, rotation(WIDTH + at));
                    combination(&mds[at], &outputs) + constant - self.state(cells, WIDTH + at)
                })
                .collect();
            Constraints::with_selector(self.full, next)
        });
        cs.create_gate("to partial rounds", |cells| {
            let (before, own) = (self.fifths(cells, 0), self.fifths(cells, WIDTH));
            let map = &maps.first;
            let next: Vec<_> = (0..WIDTH)
                .map(|at| {
                    combination(&map.fifth_before[at], &before)
                        + combination(&map.fifth[at], &own)
                        + inline(map.constants[at])
                        - self.state(cells, WIDTH + at)
                })
                .collect();
            Constraints::with_selector(self.enter, next)
        });
        cs.create_gate("partial rounds", |cells| {
            let map = &maps.next;
            let next: Vec<_> = (0..BLOCK)
                .map(|at| {
                    let constant = cells.query_fixed(self.constant, rotation(WIDTH + at));
                    combination(&map.linear, &self.states(cells, at))
                        + combination(&map.fifth, &self.fifths(cells, at))
                        + constant
                        - self.state(cells, WIDTH + at)
                })
                .collect();
            Constraints::with_selector(self.partial, next)
        });
        cs.create_gate("from partial rounds", |cells| {
            let (linear, fifths) = (self.states(cells, 0), self.fifths(cells, 0));
            let map = &maps.leave;
            let next: Vec<_> = (0..WIDTH)
                .map(|at| {
                    combination(&map.linear[at], &linear)
                        + combination(&map.fifth[at], &fifths)
                        + inline(map.constants[at])
                        - self.state(cells, WIDTH + at)
                })
                .collect();
            Constraints::with_selector(self.leave, next)
        });
        cs.create_gate("last round", |cells| {
            let hash = combination(&mds[0], &self.fifths(cells, 0)) - self.state(cells, WIDTH);
            Constraints::with_selector(self.last, vec![hash])
        });
    }

    fn state(self, cells: &mut VirtualCells<'_, Fr>, below: usize) -> Expression<Fr> {
        cells.query_advice(self.column, rotation(below))
    }

    fn states(self, cells: &mut VirtualCells<'_, Fr>, below: usize) -> [Expression<Fr>; WIDTH] {
        std::array::from_fn(|at| self.state(cells, below + at))
    }

    fn fifths(self, cells: &mut VirtualCells<'_, Fr>, below: usize) -> [Expression<Fr>; WIDTH] {
        self.states(cells, below).map(fifth)
    }
}

fn rotation(below: usize) -> Rotation {
    Rotation(i32::try_from(below).expect("gates are a few rows high"))
}

fn fifth(input: Expression<Fr>) -> Expression<Fr> {
    let square = input.clone() * input.clone();
    square.clone() * square * input
}

/// Without the terms whose coefficient is 0.
fn combination(coefficients: &[Fr; WIDTH], terms: &[Expression<Fr>; WIDTH]) -> Expression<Fr> {
    let terms = coefficients.iter().zip(terms).filter(|(coefficient, _)| !bool::from(coefficient.is_zero()));
    terms
        .map(|(coefficient, term)| term.clone() * *coefficient)
        .reduce(|sum, term| sum + term)
        .unwrap_or(Expression::Constant(Fr::ZERO))
}

/// The rows of a hash that have a constant, with it.
fn constants() -> Vec<(usize, Fr)> {
    let round = SPEC.round_constants();
    let full = FULL.iter().zip([2, 3, 62, 63, 64]).flat_map(|(row, after)| (row + WIDTH..).zip(round[after]));
    let partial = (PARTIAL.start + WIDTH..).zip(SPEC.recurrence().next.constants.iter().copied());
    full.chain(partial).collect()
}

/// The values of all rows of a hash of `x` but the first.
fn witness(x: Fr) -> [Fr; STRIDE] {
    let (round, mds, maps) = (SPEC.round_constants(), SPEC.mds(), SPEC.recurrence());
    let mut values = [Fr::ZERO; STRIDE];
    let mut next = 0;
    let mut push = |value| {
        values[next] = value;
        next += 1;
    };
    let dot = |row: &[Fr; WIDTH], of: &[Fr; WIDTH]| row[0] * of[0] + row[1] * of[1] + row[2] * of[2];
    let full = |input: [Fr; WIDTH], constants: [Fr; WIDTH]| -> [Fr; WIDTH] {
        let fifths = input.map(fifth_power);
        std::array::from_fn(|at| dot(&mds[at], &fifths) + constants[at])
    };
    let mut state = [round[0][0], x + round[0][1], x + round[0][2]];
    for constants in &round[1..4] {
        state = full(state, *constants);
        state.into_iter().for_each(&mut push);
    }
    let before = state.map(fifth_power);
    let mut fifths = [Fr::ZERO; WIDTH];
    for at in 0..WIDTH {
        let map = &maps.first;
        state[at] = dot(&map.fifth_before[at], &before) + dot(&map.fifth[at], &fifths) + map.constants[at];
        fifths[at] = fifth_power(state[at]);
        push(state[at]);
    }
    for constant in &maps.next.constants {
        let [_, a, b] = maps.next.linear;
        let input = a * state[1] + b * state[2] + dot(&maps.next.fifth, &fifths) + constant;
        state = [state[1], state[2], input];
        fifths = [fifths[1], fifths[2], fifth_power(input)];
        push(input);
    }
    let map = &maps.leave;
    state = std::array::from_fn(|at| {
        dot(&map.linear[at], &state) + dot(&map.fifth[at], &fifths) + map.constants[at]
    });
    state.into_iter().for_each(&mut push);
    for constants in &round[62..] {
        state = full(state, *constants);
        state.into_iter().for_each(&mut push);
    }
    push(full(state, [Fr::ZERO; WIDTH])[0]);
    values
}
