//! A circuit while it is being made.

use std::collections::HashMap;

use halo2curves::ff::PrimeField;

use super::{CircuitShape, Gate, Linear, PlacedStep, Variable};
use crate::relation::{Group, Input, Layout, SparseRows};

/// Values of variables, and the rows that constrain them when they are recorded.
#[derive(Debug)]
pub struct Circuit<F> {
    publics: Vec<F>,
    challenges: Vec<F>,
    pub(super) rounds: Vec<Vec<F>>,
    rows: Option<Rows<F>>,
    /// Values that a test has the circuit take in place of those that it computes.
    #[cfg(test)]
    pub(super) overrides: HashMap<Variable, F>,
}

/// Rows by gate, gates by their first use.
#[derive(Debug)]
struct Rows<F> {
    by_name: HashMap<String, usize>,
    gates: Vec<GateRows<F>>,
    steps: Vec<PlacedStep<F>>,
}

#[derive(Debug)]
struct GateRows<F> {
    gate: Gate<F>,
    /// The inputs of each row.
    rows: Vec<Vec<Linear<F>>>,
}

impl<F: PrimeField> Circuit<F> {
    /// A circuit whose rows are recorded, to learn its shape.
    #[must_use]
    pub fn recorded() -> Self {
        let rows = Rows { by_name: HashMap::new(), gates: Vec::new(), steps: Vec::new() };
        Self { rows: Some(rows), ..Self::assigned() }
    }

    /// A circuit that only assigns values.
    #[must_use]
    pub fn assigned() -> Self {
        Self {
            publics: Vec::new(),
            challenges: Vec::new(),
            rounds: vec![Vec::new()],
            rows: None,
            #[cfg(test)]
            overrides: HashMap::new(),
        }
    }

    /// Whether rows are recorded.
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.rows.is_some()
    }

    /// A new value that the prover commits to in the first round.
    pub fn witness(&mut self, value: F) -> Linear<F> {
        self.witness_in(0, value)
    }

    /// A new value that the prover commits to in a round; rounds are numbered from 0.
    pub fn witness_in(&mut self, round: u8, value: F) -> Linear<F> {
        let variable = Variable::Witness(round, self.witnesses_in(round, &[value]));
        #[cfg(test)]
        let value = self.overridden(variable, value);
        Linear::variable(variable, value, self.is_recorded())
    }

    /// New values of a round, in a row; gives the first one's number.
    pub(super) fn witnesses_in(&mut self, round: u8, values: &[F]) -> u32 {
        let round = usize::from(round);
        if values.is_empty() {
            return 0;
        }
        if self.rounds.len() <= round {
            self.rounds.resize(round + 1, Vec::new());
        }
        let first = number(self.rounds[round].len());
        self.rounds[round].extend_from_slice(values);
        #[cfg(test)]
        self.override_from(round, first);
        first
    }

    /// Remembers a step, whose rows are made when the layout is known.
    pub(super) fn record_step(&mut self, step: &PlacedStep<F>) {
        if let Some(rows) = &mut self.rows {
            rows.steps.push(step.clone());
        }
    }

    /// A variable that has its value already.
    #[must_use]
    pub fn existing(&self, variable: Variable) -> Linear<F> {
        let value = match variable {
            Variable::One => F::ONE,
            Variable::Public(index) => self.publics[index as usize],
            Variable::Challenge(index) => self.challenges[index as usize],
            Variable::Witness(round, index) => self.rounds[usize::from(round)][index as usize],
        };
        Linear::variable(variable, value, self.is_recorded())
    }

    /// A new public input.
    pub fn public(&mut self, value: F) -> Linear<F> {
        let variable = Variable::Public(number(self.publics.len()));
        #[cfg(test)]
        let value = self.overridden(variable, value);
        self.publics.push(value);
        Linear::variable(variable, value, self.is_recorded())
    }

    /// A new challenge.
    pub fn challenge(&mut self, value: F) -> Linear<F> {
        let variable = Variable::Challenge(number(self.challenges.len()));
        self.challenges.push(value);
        Linear::variable(variable, value, self.is_recorded())
    }

    /// A row: the gate's polynomials are 0 at these inputs. The gate is made only when its name is new.
    ///
    /// # Panics
    /// When the number of inputs is not the gate's, which is a mistake of the code that builds the circuit.
    pub fn enforce(&mut self, name: &str, gate: impl FnOnce() -> Gate<F>, inputs: &[&Linear<F>]) {
        let Some(rows) = &mut self.rows else { return };
        let index = *rows.by_name.entry(name.to_owned()).or_insert_with(|| {
            let gate = gate();
            assert_eq!(gate.name, name, "a gate is known by its name");
            rows.gates.push(GateRows { gate, rows: Vec::new() });
            rows.gates.len() - 1
        });
        let GateRows { gate, rows } = &mut rows.gates[index];
        assert_eq!(inputs.len(), gate.inputs, "inputs of gate {name:?}");
        rows.push(inputs.iter().map(|input| (*input).clone()).collect());
    }

    /// The values so far, in the order of the relation's vector.
    #[must_use]
    pub fn vector(&self) -> Vec<F> {
        let mut vector = vec![F::ONE];
        vector.extend_from_slice(&self.publics);
        vector.extend_from_slice(&self.challenges);
        for round in &self.rounds {
            vector.extend_from_slice(round);
        }
        vector
    }

    /// How many values of each round there are.
    #[must_use]
    pub fn layout(&self) -> Layout {
        Layout {
            publics: self.publics.len(),
            challenges: self.challenges.len(),
            rounds: self.rounds.iter().map(Vec::len).collect(),
        }
    }

    /// The rows that were recorded, as groups over vectors of this circuit's layout; `None` if rows were not recorded.
    #[must_use]
    pub fn into_shape(self) -> Option<CircuitShape<F>> {
        let layout = self.layout();
        let rows = self.rows?;
        let mut groups: Vec<_> = rows.gates.into_iter().map(|gate| group(&layout, gate)).collect();
        groups.extend(rows.steps.iter().flat_map(|step| step.groups(&layout)));
        Some(CircuitShape { layout, groups })
    }
}

fn number(length: usize) -> u32 {
    u32::try_from(length).expect("a circuit has fewer than 2^32 variables")
}

fn group<F: PrimeField>(layout: &Layout, GateRows { gate, rows }: GateRows<F>) -> Group<F> {
    let inputs = (0..gate.inputs).map(|input| {
        let entries: Vec<_> = rows.iter().map(|row| row[input].entries()).collect();
        input_of(layout, &entries)
    });
    let inputs = inputs.collect();
    Group::new(gate.name, gate.expressions, inputs)
}

/// The plainest form that holds an input of all rows.
fn input_of<F: PrimeField>(layout: &Layout, rows: &[Vec<(Variable, F)>]) -> Input<F> {
    let constant = |row: &Vec<(Variable, F)>| match row.as_slice() {
        [] => Some(F::ZERO),
        [(Variable::One, value)] => Some(*value),
        _ => None,
    };
    if let Some(values) = rows.iter().map(constant).collect() {
        return Input::Fixed(values);
    }
    let cell = |row: &Vec<(Variable, F)>| match row.as_slice() {
        [(variable, coefficient)] if *coefficient == F::ONE => Some(index(layout, *variable)),
        _ => None,
    };
    if let Some(cells) = rows.iter().map(cell).collect() {
        return Input::Cell(cells);
    }
    let mut combinations = SparseRows::new();
    for row in rows {
        combinations.push(row.iter().map(|(variable, coefficient)| (index(layout, *variable), *coefficient)));
    }
    Input::Linear(combinations)
}

/// Where a variable is in vectors of the layout.
pub(super) fn index(layout: &Layout, variable: Variable) -> u32 {
    match variable {
        Variable::One => number(Layout::ONE),
        Variable::Public(public) => number(layout.public().start) + public,
        Variable::Challenge(challenge) => number(layout.challenge().start) + challenge,
        Variable::Witness(round, witness) => number(layout.round(usize::from(round)).start) + witness,
    }
}
