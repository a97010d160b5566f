//! Sums of variables with coefficients, and their rearrangement.

use std::collections::BTreeMap;

use halo2curves::{bn256::Fr, ff::Field};

/// What a sum is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Symbol {
    /// Of the constraint system.
    Variable(usize),
    /// An S-box's output, until [`solve`] finds which sum of variables it is.
    Output(usize),
}

/// A constant, and a sum of symbols with coefficients other than 0.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    constant: Fr,
    terms: BTreeMap<Symbol, Fr>,
}

impl From<Fr> for Form {
    fn from(constant: Fr) -> Self {
        Self { constant, terms: BTreeMap::new() }
    }
}

impl From<Symbol> for Form {
    fn from(symbol: Symbol) -> Self {
        Self { constant: Fr::ZERO, terms: BTreeMap::from([(symbol, Fr::ONE)]) }
    }
}

impl Form {
    /// With so many times the other.
    pub(super) fn plus(mut self, factor: Fr, other: &Self) -> Self {
        self.constant += factor * other.constant;
        for (&symbol, coefficient) in &other.terms {
            *self.terms.entry(symbol).or_insert(Fr::ZERO) += factor * coefficient;
        }
        self.terms.retain(|_, coefficient| *coefficient != Fr::ZERO);
        self
    }

    fn times(&self, factor: Fr) -> Self {
        Self::from(Fr::ZERO).plus(factor, self)
    }

    fn coefficient(&self, symbol: Symbol) -> Fr {
        self.terms.get(&symbol).copied().unwrap_or(Fr::ZERO)
    }

    /// The constant that it is; none of what has terms.
    pub(super) fn as_constant(&self) -> Option<Fr> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The same in variables alone.
    pub(super) fn with_outputs(&self, outputs: &[Self]) -> Self {
        self.terms.iter().fold(Self::from(self.constant), |sum, (&symbol, &factor)| match symbol {
            Symbol::Output(at) => sum.plus(factor, &outputs[at]),
            Symbol::Variable(_) => sum.plus(factor, &Self::from(symbol)),
        })
    }

    /// The constant term.
    pub(crate) fn constant(&self) -> Fr {
        self.constant
    }

    /// Variables and their coefficients.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (usize, Fr)> {
        self.terms.iter().filter_map(|(symbol, &coefficient)| match symbol {
            Symbol::Variable(at) => Some((*at, coefficient)),
            Symbol::Output(_) => None,
        })
    }

    #[cfg(test)]
    pub(super) fn value(&self, values: &[Fr]) -> Fr {
        self.constant + self.terms().map(|(at, coefficient)| coefficient * values[at]).sum::<Fr>()
    }
}

/// Each output in variables, where `kept[j]` is to be variable `first + j`: Gauss-Jordan elimination. There are as many
/// outputs as forms that are kept.
pub(super) fn solve(kept: &[Form], first: usize) -> Vec<Form> {
    let outputs: Vec<Form> = (0..kept.len()).map(|at| Form::from(Symbol::Output(at))).collect();
    // Equations `form = 0`.
    let minus = |at: usize| Form::from(Symbol::Variable(first + at));
    let mut equations: Vec<Form> =
        kept.iter().enumerate().map(|(at, form)| form.clone().plus(-Fr::ONE, &minus(at))).collect();
    for at in 0..equations.len() {
        let pivot = (at..equations.len())
            .find(|&row| equations[row].coefficient(Symbol::Output(at)) != Fr::ZERO)
            .expect("the state after three S-boxes determines what each of them put out");
        equations.swap(at, pivot);
        let inverse = equations[at].coefficient(Symbol::Output(at)).invert();
        let equation = equations[at].times(inverse.expect("it is not zero"));
        for (row, other) in equations.iter_mut().enumerate() {
            let factor = other.coefficient(Symbol::Output(at));
            *other = if row == at { equation.clone() } else { other.clone().plus(-factor, &equation) };
        }
    }
    equations.iter().zip(outputs).map(|(equation, output)| output.plus(-Fr::ONE, equation)).collect()
}
