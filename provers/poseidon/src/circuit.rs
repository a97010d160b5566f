//! The circuit: a table whose rows are the state of the permutation, and one more row than it takes steps.
//!
//! ```text
//! row      columns 0 … t-1                     columns t … t+3 (inner)
//! 0        [0, inputs] + constants of round 0  -                        ┐ first: element 0 is fixed
//! 1 … 4    one full round later, each          -                        ┘ full
//! …        five partial rounds later, each     S-box inputs of rounds   } partial (the last of them: remainder)
//! …        one full round later, each          -                        } full
//! last     the result                          -                          output: element 0 = the instance
//! ```
//!
//! A row holds the state with the constants of the coming round added already, so that an S-box is `x^5` of
//! one cell and each gate has degree 6: a selector times a fifth power. Five partial rounds fit in a row
//! because only one element of each is non-linear: its S-box input gets a cell (*inner*), and everything else
//! is linear in those. Then every width fits in 2^5 rows.
//!
//! The instance is tied to the output by a gate that looks back to row 0 of the instance column. There is no
//! copy constraint anywhere, so the proof needs no permutation argument.

mod config;
mod partial;
mod trace;

pub(crate) use config::PoseidonConfig;
use halo2_axiom::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::bn256::Fr,
    plonk::{Circuit, ConstraintSystem, Error},
};
use partial::PartialRounds;

use crate::parameters::{FULL_ROUNDS, Parameters, parameters};

/// The table has 2^5 rows, of which 26 are usable: the others blind the witness.
pub(crate) const K: u32 = 5;

/// Partial rounds that one row goes through. Four would need 27 rows for 70 partial rounds.
const PARTIAL_ROUNDS_PER_ROW: usize = 5;

/// What the rows of the table do, in order. The row of the result comes after the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Full { round: usize },
    Partial { round: usize },
    Remainder { round: usize },
}

/// The steps of one width.
fn steps(parameters: &Parameters) -> Vec<Step> {
    let half = FULL_ROUNDS / 2;
    let full_rows = parameters.partial_rounds / PARTIAL_ROUNDS_PER_ROW;
    let after = half + parameters.partial_rounds;
    let mut steps: Vec<Step> = (0..half).map(|round| Step::Full { round }).collect();
    steps.extend((0..full_rows).map(|i| Step::Partial { round: half + i * PARTIAL_ROUNDS_PER_ROW }));
    if remainder(parameters) > 0 {
        steps.push(Step::Remainder { round: half + full_rows * PARTIAL_ROUNDS_PER_ROW });
    }
    steps.extend((after..after + half).map(|round| Step::Full { round }));
    steps
}

/// Partial rounds that do not fill a row.
fn remainder(parameters: &Parameters) -> usize {
    parameters.partial_rounds % PARTIAL_ROUNDS_PER_ROW
}

/// The circuit for a number of inputs, with the cells of its rows or without them.
#[derive(Clone, Debug)]
pub(crate) struct PoseidonCircuit {
    inputs: usize,
    rows: Vec<Vec<Fr>>,
}

impl PoseidonCircuit {
    /// The shape alone, for making keys.
    pub(crate) fn shape(inputs: usize) -> Self {
        Self { inputs, rows: Vec::new() }
    }

    /// With the elements whose hash is to be proven known.
    pub(crate) fn with_witness(elements: &[Fr]) -> Self {
        let parameters = parameters(elements.len());
        Self { inputs: elements.len(), rows: trace::rows(parameters, &steps(parameters), elements) }
    }
}

/// The number of inputs, which decides the shape. The default exists because the front end requires one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs(pub(crate) usize);

impl Default for Inputs {
    fn default() -> Self {
        Self(1)
    }
}

/// The columns and gates of the circuit for `inputs` elements, 1 to 16, for whoever evaluates them otherwise.
///
/// # Panics
///
/// For another number of elements.
#[must_use]
pub fn constraint_system(inputs: usize) -> ConstraintSystem<Fr> {
    let mut system = ConstraintSystem::default();
    PoseidonConfig::configure(&mut system, parameters(inputs));
    system
}

impl Circuit<Fr> for PoseidonCircuit {
    type Config = PoseidonConfig;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Inputs;

    fn params(&self) -> Inputs {
        Inputs(self.inputs)
    }

    fn without_witnesses(&self) -> Self {
        Self::shape(self.inputs)
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> PoseidonConfig {
        unreachable!("the front end calls configure_with_params")
    }

    fn configure_with_params(meta: &mut ConstraintSystem<Fr>, inputs: Inputs) -> PoseidonConfig {
        PoseidonConfig::configure(meta, parameters(inputs.0))
    }

    /// One region for everything: this front end's floor planner starts each region at row 0.
    fn synthesize(&self, config: PoseidonConfig, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let parameters = parameters(self.inputs);
        let steps = steps(parameters);
        layouter.assign_region(
            || "permutation",
            |mut region| {
                config.first.enable(&mut region, 0)?;
                for (row, &step) in steps.iter().enumerate() {
                    config.selector(step).enable(&mut region, row)?;
                    for (column, constant) in step_constants(parameters, step) {
                        region.assign_fixed(config.constants[column], row, constant);
                    }
                }
                config.output.enable(&mut region, steps.len())?;
                for (row, cells) in self.rows.iter().enumerate() {
                    for (&column, &cell) in config.cells().zip(cells) {
                        region.assign_advice(column, row, Value::known(cell));
                    }
                }
                Ok(())
            },
        )
    }
}

/// The constants of a step, by fixed column: for the state of the next row, then for the inner cells.
fn step_constants(parameters: &Parameters, step: Step) -> Vec<(usize, Fr)> {
    let (round, count) = match step {
        Step::Full { round } => {
            return next_constants(parameters, round + 1).iter().copied().enumerate().collect();
        }
        Step::Partial { round } => (round, PARTIAL_ROUNDS_PER_ROW),
        Step::Remainder { round } => (round, remainder(parameters)),
    };
    let rounds = PartialRounds::new(parameters, round, count);
    let next = rounds.next.iter().enumerate().map(|(i, map)| (i, map.constant));
    let inner = rounds.inner.iter().enumerate().map(|(j, map)| (parameters.width + j, map.constant));
    next.chain(inner).collect()
}

/// What is added before a round; after the last one, nothing.
fn next_constants(parameters: &Parameters, round: usize) -> &[Fr] {
    parameters.round_constants.get(round).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use halo2_axiom::{dev::MockProver, halo2curves::ff::Field};

    use super::*;
    use crate::{input::INPUTS_MAX, permutation::hash};

    fn elements(count: usize) -> Vec<Fr> {
        (1..=count as u64).map(Fr::from).collect()
    }

    fn is_satisfied(circuit: &PoseidonCircuit, public: Fr) -> bool {
        MockProver::run(K, circuit, vec![vec![public]]).unwrap().verify().is_ok()
    }

    #[test]
    fn the_circuit_computes_the_plain_hash_for_every_number_of_inputs() {
        for count in 1..=INPUTS_MAX {
            let elements = elements(count);
            let circuit = PoseidonCircuit::with_witness(&elements);
            assert!(is_satisfied(&circuit, hash(&elements)), "{count} inputs");
            assert!(!is_satisfied(&circuit, hash(&elements) + Fr::ONE), "{count} inputs");
        }
    }

    #[test]
    fn no_cell_of_the_witness_can_be_changed() {
        for count in [1, 2, 4, 16] {
            let public = hash(&elements(count));
            let circuit = PoseidonCircuit::with_witness(&elements(count));
            for row in 0..circuit.rows.len() {
                for cell in 0..circuit.rows[row].len() {
                    let mut changed = circuit.clone();
                    changed.rows[row][cell] += Fr::ONE;
                    assert!(!is_satisfied(&changed, public), "{count} inputs, row {row}, cell {cell}");
                }
            }
        }
    }

    #[test]
    fn whoever_departs_from_the_rounds_anywhere_is_found_out() {
        // Each departure breaks one claim of one gate and no other. These widths have all kinds of remainder.
        for count in [1, 2, 5, 7] {
            let parameters = parameters(count);
            let steps = steps(parameters);
            for (at, element) in (0..=parameters.rounds()).flat_map(|at| (0..=count).map(move |i| (at, i))) {
                let state = crate::permutation::initial_state(&elements(count));
                let rows = trace::rows_disturbed(parameters, &steps, state, |round, state| {
                    if round == at {
                        state[element] += Fr::ONE;
                    }
                });
                let result = rows[steps.len()][0];
                // An input may be anything: that is the one place where a change makes another true statement.
                let is_input = at == 0 && element > 0;
                let circuit = PoseidonCircuit { inputs: count, rows };
                assert_eq!(
                    is_satisfied(&circuit, result),
                    is_input,
                    "{count} inputs, element {element} before round {at}"
                );
            }
        }
    }

    #[test]
    fn every_table_leaves_room_for_the_blinding() {
        for count in 1..=INPUTS_MAX {
            let system = constraint_system(count);
            let usable = (1 << K) - (system.blinding_factors() + 1);
            assert!(steps(parameters(count)).len() < usable, "{count} inputs");
            assert_eq!(system.degree(), 6, "{count} inputs");
        }
    }
}
