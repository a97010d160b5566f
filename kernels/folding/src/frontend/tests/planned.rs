//! Random circuits with a witness that satisfies them.

#![expect(clippy::cast_possible_truncation, reason = "rows and columns are few")]

use std::cell::RefCell;
use std::collections::HashMap;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::{RngCore, SeedableRng};

mod circuit;

thread_local! {
    /// The plan that `configure`, which has no receiver, works by.
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// A factor of a monomial: whether it is a fixed column, the column, and the rotation.
type Factor = (bool, usize, i32);

#[derive(Clone, Debug)]
struct PlannedGate {
    /// How the gate is switched on: see `configure`.
    form: u32,
    monomials: Vec<(u64, Vec<Factor>)>,
    /// For each row of the region, which of the two switches are on.
    switches: Vec<(bool, bool)>,
}

/// A random circuit and its witness: `columns` columns over `rows` rows of one region, for each gate a column that
/// holds the value of its polynomial, and a column with copies.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    rows: usize,
    columns: usize,
    gates: Vec<PlannedGate>,
    fixed: Vec<Vec<u64>>,
    values: HashMap<(usize, usize), Fr>,
    copies: Vec<((usize, usize), (usize, usize))>,
    fixed_copies: Vec<((usize, usize), (usize, usize))>,
    constants: Vec<((usize, usize), Fr)>,
    input_copies: Vec<((usize, usize), usize)>,
    lookups: Vec<usize>,
    table: Vec<(Fr, Fr)>,
    outputs: [(usize, usize); 2],
    pub(super) z_in: [Fr; 2],
    /// A cell that is given another value than its own.
    pub(super) corrupted: Option<((usize, usize), Fr)>,
}

const REACH: usize = 3;

struct Random(ChaCha8Rng);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn element(&mut self) -> Fr {
        if self.chance() { Fr::from(self.below(4) as u64) } else { Fr::random(&mut self.0) }
    }
}

impl Plan {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
        let (columns, rows) = (1 + random.below(4), 8 + random.below(20));
        let gates = (0..1 + random.below(3)).map(|_| PlannedGate::new(&mut random, columns, rows)).collect();
        let fixed = (0..2).map(|_| (0..rows).map(|_| random.below(4) as u64).collect()).collect();
        let z_in = [random.element(), random.element()];
        let mut plan = Self {
            rows,
            columns,
            gates,
            fixed,
            values: HashMap::new(),
            copies: Vec::new(),
            fixed_copies: Vec::new(),
            constants: Vec::new(),
            input_copies: Vec::new(),
            lookups: Vec::new(),
            table: vec![(Fr::ZERO, Fr::ZERO)],
            outputs: [(0, 0), (0, rows - 1)],
            z_in,
            corrupted: None,
        };
        plan.tie(&mut random);
        plan.evaluate();
        plan.look_up(&mut random);
        plan
    }

    fn cells(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let rows = self.rows;
        (0..self.columns).flat_map(move |column| (0..rows).map(move |row| (column, row)))
    }

    /// Gives cells their values: each is new, or that of an earlier cell, of a fixed cell, a constant or an input.
    fn tie(&mut self, random: &mut Random) {
        let mut earlier = Vec::new();
        for cell in self.cells() {
            let value = match random.below(8) {
                0 if !earlier.is_empty() => {
                    let other = earlier[random.below(earlier.len())];
                    self.copies.push((other, cell));
                    self.values[&other]
                }
                1 => {
                    let (column, row) = (random.below(2), random.below(self.rows));
                    self.fixed_copies.push((cell, (column, row)));
                    Fr::from(self.fixed[column][row])
                }
                2 => {
                    let value = random.element();
                    self.constants.push((cell, value));
                    value
                }
                3 => {
                    let input = random.below(2);
                    self.input_copies.push((cell, input));
                    self.z_in[input]
                }
                _ => random.element(),
            };
            self.values.insert(cell, value);
            earlier.push(cell);
        }
    }

    /// Fills the columns of the gates, and the column of copies with cells of the first gate's.
    fn evaluate(&mut self) {
        for number in 0..self.gates.len() {
            for row in 0..self.rows {
                let value = self.gates[number].value(self, row);
                self.values.insert((self.columns + number, row), value);
            }
        }
        let (first, echo) = (self.columns, self.columns + self.gates.len());
        for row in (0..self.rows).step_by(2) {
            self.values.insert((echo, row), self.values[&(first, row)]);
            self.copies.push(((first, row), (echo, row)));
        }
        self.outputs[1] = (first, self.rows - 1);
    }

    fn look_up(&mut self, random: &mut Random) {
        for row in 0..self.rows {
            // The mock prover sizes its rows without those of tables, and fills the row after the last.
            if random.chance() && self.table.len() + 1 < self.rows {
                self.lookups.push(row);
                self.table.push((self.values[&(0, row)], self.values[&(self.columns, row)]));
            }
        }
    }

    /// Gives a cell another value than its own.
    pub(super) fn corrupt(&mut self, choice: u64, by: Fr) {
        let mut cells: Vec<_> = self.values.keys().copied().collect();
        cells.sort_unstable();
        self.corrupted = Some((cells[(choice % cells.len() as u64) as usize], by));
    }

    /// Makes `configure` work by this plan on this thread.
    pub(super) fn install(&self) {
        PLAN.set(Some(self.clone()));
    }

    fn value(&self, cell: (usize, usize)) -> Fr {
        let value = self.values[&cell];
        match self.corrupted {
            Some((corrupted, by)) if corrupted == cell => value + by,
            _ => value,
        }
    }
}

impl PlannedGate {
    fn new(random: &mut Random, columns: usize, rows: usize) -> Self {
        let monomial = |random: &mut Random| {
            let factors = (0..1 + random.below(6)).map(|_| {
                let rotation = random.below(2 * REACH + 1) as i32 - REACH as i32;
                if random.below(5) == 0 {
                    (true, random.below(2), rotation)
                } else {
                    (false, random.below(columns), rotation)
                }
            });
            let factors = factors.collect();
            (random.0.next_u64(), factors)
        };
        let form = random.below(4) as u32;
        let monomials = (0..1 + random.below(3)).map(|_| monomial(random)).collect();
        let inside = REACH..rows - REACH;
        let switches = (0..rows)
            .map(|row| (inside.contains(&row) && random.chance(), inside.contains(&row) && random.chance()));
        Self { form, monomials, switches: switches.collect() }
    }

    fn value(&self, plan: &Plan, row: usize) -> Fr {
        if !(REACH..plan.rows - REACH).contains(&row) {
            return Fr::from(row as u64);
        }
        let factor = |(fixed, column, rotation): &Factor| {
            let row = (row as i32 + rotation) as usize;
            if *fixed { Fr::from(plan.fixed[*column][row]) } else { plan.values[&(*column, row)] }
        };
        let monomials = self.monomials.iter();
        monomials.map(|(by, factors)| Fr::from(*by) * factors.iter().map(factor).product::<Fr>()).sum()
    }
}
