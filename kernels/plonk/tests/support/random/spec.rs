//! What a random circuit has.

use halo2_axiom::halo2curves::{bn256::Fr, ff::Field};
use rand_chacha::ChaCha20Rng;
use rand_core::RngCore;

use super::expression::{Inputs, Node};
use crate::support::rng;

/// Rows from here on have constraints, so that rotations stay among the rows.
pub(crate) const FIRST: usize = 2;
/// Rows with constraints, at most.
const STEPS_MAX: usize = 10;
/// Rows that are assigned: fewer than there are in a table of 2^5 rows that blinds each of its columns for nine queries.
pub(crate) const ROWS: usize = FIRST + STEPS_MAX + 2;

/// How the cells of an advice column come about.
#[derive(Clone, Debug)]
pub(crate) enum Role {
    /// Random.
    Free,
    /// Of each constrained row, the value of a gate's expression.
    Target(Node),
    /// Random rows of the table of a lookup.
    LookedUp,
    /// The table of a lookup.
    Table,
    /// Copies of other cells.
    Sink,
}

#[derive(Clone, Debug)]
pub(crate) struct AdviceSpec {
    pub(crate) phase: usize,
    pub(crate) role: Role,
}

/// The powers of some advice columns are looked up in as many fixed columns, or in one advice column.
#[derive(Clone, Debug)]
pub(crate) struct LookupSpec {
    pub(crate) inputs: Vec<usize>,
    pub(crate) power: usize,
    /// What the fixed columns have the powers of.
    pub(crate) roots: Vec<Vec<Fr>>,
    pub(crate) fixed: Vec<usize>,
    pub(crate) advice: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum CopyFrom {
    Advice(usize, usize),
    Fixed(usize, usize),
    Instance(usize, usize),
    Constant(u64),
}

/// A circuit's columns and constraints; they are all of the seed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spec {
    pub(crate) k: u32,
    pub(crate) steps: usize,
    pub(crate) phases: usize,
    /// Sorted by phase.
    pub(crate) advice: Vec<AdviceSpec>,
    /// The values of fixed columns.
    pub(crate) fixed: Vec<Vec<Fr>>,
    /// How long the columns are.
    pub(crate) instances: Vec<usize>,
    /// The phase that each challenge is of.
    pub(crate) challenges: Vec<usize>,
    pub(crate) lookups: Vec<LookupSpec>,
    /// Cells of sinks, and what they are copies of.
    pub(crate) copies: Vec<((usize, usize), CopyFrom)>,
    pub(crate) degree: usize,
    pub(crate) ends_phases: bool,
    pub(crate) compressed: bool,
    pub(crate) circuits: usize,
}

impl Spec {
    pub(crate) fn random(seed: u64) -> Self {
        let rng = &mut rng(seed);
        let mut spec = Self {
            k: 5 + u32::try_from(below(rng, 2)).unwrap_or(0),
            steps: 1 + below(rng, STEPS_MAX),
            phases: [1, 1, 1, 2, 3][below(rng, 5)],
            instances: (0..below(rng, 3)).map(|_| below(rng, ROWS)).collect(),
            degree: 3,
            ends_phases: below(rng, 2) == 0,
            compressed: below(rng, 2) == 0,
            ..Self::default()
        };
        let fixed = below(rng, 3);
        spec.fixed = (0..fixed).map(|_| (0..ROWS).map(|_| value(rng)).collect()).collect();
        for phase in 0..spec.phases {
            spec.add_phase(rng, phase, fixed);
        }
        for _ in 0..below(rng, 3) {
            spec.add_lookup(rng);
        }
        spec.add_copies(rng);
        spec.circuits = if spec.phases == 1 { [1, 1, 1, 2, 3][below(rng, 5)] } else { 1 };
        spec
    }

    /// Free columns, and gates whose value is in a column of the phase.
    fn add_phase(&mut self, rng: &mut ChaCha20Rng, phase: usize, fixed: usize) {
        for _ in 0..=below(rng, 2) {
            self.advice.push(AdviceSpec { phase, role: Role::Free });
        }
        let challenges =
            (0..self.challenges.len()).filter(|&at| self.challenges[at] < phase).collect::<Vec<_>>();
        for _ in 0..below(rng, 4) {
            let inputs = Inputs {
                advice: (0..self.advice.len()).collect(),
                fixed,
                instances: self.instances.len(),
                challenges: challenges.clone(),
            };
            // One is the selector's.
            let degree = 1 + below(rng, 8);
            self.degree = self.degree.max(degree + 1);
            let node = Node::random(rng, &inputs, degree);
            self.advice.push(AdviceSpec { phase, role: Role::Target(node) });
        }
        if phase + 1 < self.phases {
            self.challenges.extend(std::iter::repeat_n(phase, 1 + below(rng, 2)));
        }
    }

    fn add_lookup(&mut self, rng: &mut ChaCha20Rng) {
        // Columns of all lookups are of the last phase, so that phases stay sorted.
        let phase = self.phases - 1;
        let by_advice = below(rng, 3) == 0;
        let parts = if by_advice { 1 } else { 1 + below(rng, 3) };
        let power = 1 + below(rng, 3);
        let (roots, fixed) = (Vec::new(), Vec::new());
        let mut spec = LookupSpec { inputs: Vec::new(), power, roots, fixed, advice: None };
        for _ in 0..parts {
            spec.inputs.push(self.advice.len());
            self.advice.push(AdviceSpec { phase, role: Role::LookedUp });
        }
        if by_advice {
            spec.advice = Some(self.advice.len());
            self.advice.push(AdviceSpec { phase, role: Role::Table });
            spec.power = 1;
        } else {
            for _ in 0..parts {
                spec.fixed.push(self.fixed.len());
                // What is not enabled looks up zeros.
                let roots: Vec<Fr> =
                    (0..ROWS).map(|row| if row == 0 { Fr::ZERO } else { value(rng) }).collect();
                self.fixed.push(roots.iter().map(|root| root.pow_vartime([spec.power as u64])).collect());
                spec.roots.push(roots);
            }
        }
        // The input is a selector times a power.
        self.degree = self.degree.max(2 + (1 + spec.power) + 1);
        self.lookups.push(spec);
    }

    fn add_copies(&mut self, rng: &mut ChaCha20Rng) {
        let (sinks, phase) = (below(rng, 3), self.phases - 1);
        for _ in 0..sinks {
            let others = self.advice.len();
            self.advice.push(AdviceSpec { phase, role: Role::Sink });
            for row in 0..ROWS {
                let from = match below(rng, 6) {
                    0 => CopyFrom::Constant(below(rng, 5) as u64),
                    1 if !self.fixed.is_empty() => {
                        CopyFrom::Fixed(below(rng, self.fixed.len()), below(rng, ROWS))
                    }
                    2 if !self.instances.is_empty() => {
                        CopyFrom::Instance(below(rng, self.instances.len()), below(rng, ROWS))
                    }
                    3 | 4 => CopyFrom::Advice(below(rng, others), below(rng, ROWS)),
                    _ => continue,
                };
                self.copies.push(((others, row), from));
            }
        }
    }
}

/// Below a number, of which there are few.
pub(crate) fn below(rng: &mut ChaCha20Rng, n: usize) -> usize {
    rng.next_u32() as usize % n
}

/// Small, or of the whole field.
pub(crate) fn value(rng: &mut ChaCha20Rng) -> Fr {
    match below(rng, 3) {
        0 => Fr::from(below(rng, 3) as u64),
        1 => Fr::from(rng.next_u64()),
        _ => Fr::random(rng),
    }
}
