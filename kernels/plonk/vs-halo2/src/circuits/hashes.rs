//! A circuit of Poseidon hashes: a row a round, the state in as many columns, and one row more for the result, which is copied to
//! the next hash. With lookups, each row of a hash has a byte, too.

use std::sync::{Arc, OnceLock};

use grain::Grain;
use halo2_axiom::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{
        Advice, Circuit, Column, ConstraintSystem, Error, Expression, Fixed, Instance, Selector, TableColumn,
    },
    poly::Rotation,
};

use crate::circuits::Statement;

const FULL_ROUNDS: usize = 8;
const BYTES: usize = 256;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// 2 or 16.
    pub(crate) inputs: usize,
    pub(crate) hashes: usize,
    pub(crate) lookups: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Self { inputs: 2, hashes: 1, lookups: false }
    }
}

struct Parameters {
    rounds: Vec<Vec<Fr>>,
    matrix: Vec<Vec<Fr>>,
}

/// They are made once.
fn parameters(inputs: usize) -> &'static Parameters {
    static ALL: [OnceLock<Parameters>; 2] = [const { OnceLock::new() }; 2];
    ALL[usize::from(inputs != 2)].get_or_init(|| Parameters::new(inputs))
}

impl Parameters {
    fn new(inputs: usize) -> Self {
        let (width, partial) = (inputs + 1, if inputs == 2 { 57 } else { 68 });
        let mut grain = Grain::<Fr>::new(width, FULL_ROUNDS, partial);
        let rounds = (0..FULL_ROUNDS + partial)
            .map(|_| (0..width).map(|_| grain.element_by_rejection()).collect())
            .collect();
        let points: Vec<Fr> = (0..2 * width).map(|_| grain.element_by_reduction()).collect();
        let (xs, ys) = points.split_at(width);
        let element = |x: &Fr, y: &Fr| (x + y).invert().unwrap_or(Fr::ZERO);
        let matrix = xs.iter().map(|x| ys.iter().map(|y| element(x, y)).collect()).collect();
        Self { rounds, matrix }
    }

    fn is_full(&self, round: usize) -> bool {
        round < FULL_ROUNDS / 2 || round >= self.rounds.len() - FULL_ROUNDS / 2
    }

    fn round(&self, round: usize, state: &[Fr]) -> Vec<Fr> {
        let sbox =
            |at: usize, x: Fr| if at == 0 || self.is_full(round) { x.square().square() * x } else { x };
        let boxed: Vec<Fr> =
            state.iter().zip(&self.rounds[round]).enumerate().map(|(at, (x, c))| sbox(at, x + c)).collect();
        self.matrix.iter().map(|row| row.iter().zip(&boxed).map(|(m, x)| m * x).sum()).collect()
    }
}

#[derive(Clone)]
pub(crate) struct Hashes {
    pub(crate) shape: Shape,
    parameters: &'static Parameters,
    /// The states row by row, made beforehand: what is compared are provers. Empty without a witness.
    states: Arc<[Fr]>,
}

#[derive(Clone)]
pub(crate) struct Config {
    state: Vec<Column<Advice>>,
    constants: Vec<Column<Fixed>>,
    full: Selector,
    partial: Selector,
    instance: Column<Instance>,
    lookup: Option<(Column<Advice>, TableColumn)>,
}

impl Hashes {
    pub(crate) fn new(shape: Shape) -> Self {
        let parameters = parameters(shape.inputs);
        let (mut chained, mut states) = (Fr::ONE, Vec::new());
        for _ in 0..shape.hashes {
            let mut state = vec![Fr::ZERO, chained];
            state.extend((2..=shape.inputs as u64).map(Fr::from));
            for round in 0..parameters.rounds.len() {
                let next = parameters.round(round, &state);
                states.extend(std::mem::replace(&mut state, next));
            }
            chained = state[0];
            states.extend(state);
        }
        Self { shape, parameters, states: states.into() }
    }

    fn width(&self) -> usize {
        self.shape.inputs + 1
    }

    fn state(&self, row: usize, column: usize) -> Value<Fr> {
        self.states.get(row * self.width() + column).map_or_else(Value::unknown, |x| Value::known(*x))
    }
}

impl Statement for Hashes {
    /// The last hash.
    fn public(&self) -> Fr {
        self.states.len().checked_sub(self.width()).map_or(Fr::ZERO, |last| self.states[last])
    }
}

impl Circuit<Fr> for Hashes {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Shape;

    fn params(&self) -> Shape {
        self.shape
    }

    fn without_witnesses(&self) -> Self {
        Self { states: Arc::default(), ..self.clone() }
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Config {
        unreachable!("the front end calls configure_with_params")
    }

    fn configure_with_params(system: &mut ConstraintSystem<Fr>, shape: Shape) -> Config {
        system.set_minimum_degree(6);
        let parameters = parameters(shape.inputs);
        let width = shape.inputs + 1;
        let state: Vec<_> = (0..width).map(|_| system.advice_column()).collect();
        let constants: Vec<_> = (0..width).map(|_| system.fixed_column()).collect();
        let [full, partial] = [(); 2].map(|()| system.selector());
        let instance = system.instance_column();
        system.enable_equality(instance);
        for &column in &state[..2] {
            system.enable_equality(column);
        }
        for (selector, boxes) in [(full, width), (partial, 1)] {
            system.create_gate("round", |cells| {
                let boxed: Vec<Expression<Fr>> = (0..width)
                    .map(|at| {
                        let x = cells.query_advice(state[at], Rotation::cur())
                            + cells.query_fixed(constants[at], Rotation::cur());
                        if at < boxes { x.clone().square().square() * x } else { x }
                    })
                    .collect();
                let selector = cells.query_selector(selector);
                (0..width)
                    .map(|row| {
                        let next = cells.query_advice(state[row], Rotation::next());
                        let mixed = boxed.iter().zip(&parameters.matrix[row]);
                        let sum = mixed
                            .map(|(x, m)| x.clone() * *m)
                            .fold(Expression::Constant(Fr::ZERO), |sum, term| sum + term);
                        selector.clone() * (sum - next)
                    })
                    .collect::<Vec<_>>()
            });
        }
        let lookup = shape.lookups.then(|| {
            let (byte, table) = (system.advice_column(), system.lookup_table_column());
            system.lookup("bytes", |cells| vec![(cells.query_advice(byte, Rotation::cur()), table)]);
            (byte, table)
        });
        Config { state, constants, full, partial, instance, lookup }
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        if let Some((_, table)) = config.lookup {
            layouter.assign_table(
                || "bytes",
                |mut cells| {
                    (0..BYTES).try_for_each(|byte| {
                        cells.assign_cell(|| "", table, byte, || Value::known(Fr::from(byte as u64)))
                    })
                },
            )?;
        }
        let rows = self.parameters.rounds.len() + 1;
        let end = layouter.assign_region(
            || "hashes",
            |mut region| {
                let mut end = None;
                for row in 0..self.shape.hashes * rows {
                    let round = row % rows;
                    if let Some(constants) = self.parameters.rounds.get(round) {
                        let full = self.parameters.is_full(round);
                        if full { config.full } else { config.partial }.enable(&mut region, row)?;
                        for (&column, constant) in config.constants.iter().zip(constants) {
                            region.assign_fixed(column, row, *constant);
                        }
                    }
                    if let Some((byte, _)) = config.lookup {
                        region.assign_advice(byte, row, Value::known(Fr::from(((row * 31) % BYTES) as u64)));
                    }
                    for (at, &column) in config.state.iter().enumerate() {
                        let cell = region.assign_advice(column, row, self.state(row, at)).cell();
                        if let (1, 0, Some(end)) = (at, round, end) {
                            region.constrain_equal(cell, end);
                        }
                        if at == 0 && round + 1 == rows {
                            end = Some(cell);
                        }
                    }
                }
                end.ok_or(Error::Synthesis)
            },
        )?;
        layouter.constrain_instance(end, config.instance, 0);
        Ok(())
    }
}
