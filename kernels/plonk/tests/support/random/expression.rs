//! Expressions that can be both calculated and made a constraint.

use halo2_axiom::{
    halo2curves::bn256::Fr,
    plonk::{Expression, VirtualCells},
    poly::Rotation,
};
use rand_chacha::ChaCha20Rng;

use super::{circuit::Config, spec::below};

/// A cell is a column and a rotation.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Constant(u64),
    Advice(usize, i32),
    Fixed(usize, i32),
    Instance(usize, i32),
    Challenge(usize),
    Negated(Box<Node>),
    Scaled(Box<Node>, u64),
    Sum(Box<Node>, Box<Node>),
    Product(Box<Node>, Box<Node>),
}

/// What an expression may be of.
pub(crate) struct Inputs {
    pub(crate) advice: Vec<usize>,
    pub(crate) fixed: usize,
    pub(crate) instances: usize,
    pub(crate) challenges: Vec<usize>,
}

impl Node {
    /// Of a degree, at most.
    pub(crate) fn random(rng: &mut ChaCha20Rng, inputs: &Inputs, degree: usize) -> Self {
        if degree > 1 {
            let left = 1 + below(rng, degree - 1);
            let product = Self::Product(
                Box::new(Self::random(rng, inputs, left)),
                Box::new(Self::random(rng, inputs, degree - left)),
            );
            return match below(rng, 4) {
                0 => Self::Sum(Box::new(product), Box::new(Self::leaf(rng, inputs))),
                1 => Self::Sum(Box::new(product), Box::new(Self::Negated(Box::new(Self::leaf(rng, inputs))))),
                2 => Self::Scaled(Box::new(product), below(rng, 9) as u64),
                _ => product,
            };
        }
        match below(rng, 5) {
            0 => Self::Sum(Box::new(Self::leaf(rng, inputs)), Box::new(Self::leaf(rng, inputs))),
            1 => Self::Negated(Box::new(Self::leaf(rng, inputs))),
            _ => Self::leaf(rng, inputs),
        }
    }

    fn leaf(rng: &mut ChaCha20Rng, inputs: &Inputs) -> Self {
        let rotation = i32::try_from(below(rng, 5)).unwrap_or(0) - 2;
        match below(rng, 8) {
            0 => Self::Constant(below(rng, 3) as u64),
            1 if inputs.fixed > 0 => Self::Fixed(below(rng, inputs.fixed), rotation),
            2 if inputs.instances > 0 => Self::Instance(below(rng, inputs.instances), rotation),
            3 if !inputs.challenges.is_empty() => {
                Self::Challenge(inputs.challenges[below(rng, inputs.challenges.len())])
            }
            _ => Self::Advice(inputs.advice[below(rng, inputs.advice.len())], rotation),
        }
    }

    /// As a constraint has it.
    pub(crate) fn expression(&self, config: &Config, cells: &mut VirtualCells<'_, Fr>) -> Expression<Fr> {
        match self {
            Self::Constant(value) => Expression::Constant(Fr::from(*value)),
            Self::Advice(at, by) => cells.query_advice(config.advice[*at], Rotation(*by)),
            Self::Fixed(at, by) => cells.query_fixed(config.fixed[*at], Rotation(*by)),
            Self::Instance(at, by) => cells.query_instance(config.instances[*at], Rotation(*by)),
            Self::Challenge(at) => cells.query_challenge(config.challenges[*at]),
            Self::Negated(a) => -a.expression(config, cells),
            Self::Scaled(a, by) => a.expression(config, cells) * Fr::from(*by),
            Self::Sum(a, b) => a.expression(config, cells) + b.expression(config, cells),
            Self::Product(a, b) => a.expression(config, cells) * b.expression(config, cells),
        }
    }

    /// Its value in a row, of what `cell` says that cells are; unknown where one of them is.
    pub(crate) fn value(&self, cell: &impl Fn(&Self) -> Option<Fr>) -> Option<Fr> {
        Some(match self {
            Self::Constant(value) => Fr::from(*value),
            Self::Negated(a) => -a.value(cell)?,
            Self::Scaled(a, by) => a.value(cell)? * Fr::from(*by),
            Self::Sum(a, b) => a.value(cell)? + b.value(cell)?,
            Self::Product(a, b) => a.value(cell)? * b.value(cell)?,
            leaf => cell(leaf)?,
        })
    }
}
