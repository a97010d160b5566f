//! A circuit that uses what there is, as far as its shape says: gates up to a degree, neighbouring rows, fractions, copies,
//! lookups of one column and of two, instances that are queried and copied, and a challenge between two phases.
//!
//! ```text
//! a        b          c          e             d (second phase)
//! start    0          a b + 1    b^(degree-1)  challenge * b, summed
//! c above  1 … 15, 0  a b + 1    …             …
//! ```

use halo2_axiom::{
    circuit::{Layouter, Region, SimpleFloorPlanner, Value},
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{
        Advice, Assigned, Challenge, Circuit, Column, ConstraintSystem, Error, Expression, FirstPhase, Fixed,
        Instance, SecondPhase, Selector, TableColumn,
    },
    poly::Rotation,
};

/// The numbers that `b` may be.
const TABLE: usize = 16;

/// What the circuit has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The highest degree of a gate, 3 or more.
    pub(crate) degree: usize,
    /// What the front end is asked for; without it, that degree.
    pub(crate) minimum_degree: Option<usize>,
    /// Rows, 2 or more.
    pub(crate) steps: usize,
    pub(crate) lookups: bool,
    pub(crate) copies: bool,
    pub(crate) instances: bool,
    pub(crate) challenge: bool,
    /// The circuit ends its first phase on its own, and is synthesized once for both.
    pub(crate) ends_phase: bool,
}

impl Shape {
    pub(crate) const ALL: Self = Self {
        degree: 5,
        minimum_degree: None,
        steps: 20,
        lookups: true,
        copies: true,
        instances: true,
        challenge: true,
        ends_phase: true,
    };
    pub(crate) const NONE: Self = Self {
        degree: 3,
        minimum_degree: None,
        steps: 2,
        lookups: false,
        copies: false,
        instances: false,
        challenge: false,
        ends_phase: false,
    };
}

impl Default for Shape {
    fn default() -> Self {
        Self::ALL
    }
}

/// A cell that is given a wrong value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    A(usize),
    B(usize),
    C(usize),
    E(usize),
    D(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Mixed {
    pub(crate) shape: Shape,
    pub(crate) start: Option<Fr>,
    /// The first b, which a copy has at zero.
    pub(crate) first_b: Fr,
    /// This cell has one more than it should.
    pub(crate) wrong: Option<Cell>,
}

#[derive(Clone, Debug)]
pub(crate) struct Config {
    shape: Shape,
    advice: [Column<Advice>; 4],
    in_row: Selector,
    to_next: Selector,
    first: Selector,
    looked_up: Selector,
    table: [TableColumn; 2],
    instances: Option<[Column<Instance>; 2]>,
    challenge: Option<(Column<Advice>, Challenge)>,
    constant: Option<Column<Fixed>>,
}

impl Mixed {
    pub(crate) fn new(shape: Shape, start: Fr) -> Self {
        Self { shape, start: Some(start), first_b: Fr::ZERO, wrong: None }
    }

    pub(crate) fn shape(shape: Shape) -> Self {
        Self { shape, start: None, first_b: Fr::ZERO, wrong: None }
    }

    /// The columns of instances: the start, and the last c.
    pub(crate) fn instances(&self) -> Vec<Vec<Fr>> {
        if !self.shape.instances {
            return Vec::new();
        }
        let start = self.start.unwrap_or(Fr::ZERO);
        let end = (0..self.shape.steps).fold(start, |a, step| a * self.b(step) + Fr::ONE);
        vec![vec![start], vec![Fr::ZERO, end]]
    }

    fn b(&self, step: usize) -> Fr {
        if step == 0 { self.first_b } else { Fr::from((step % TABLE) as u64) }
    }

    fn value(&self, cell: Cell, value: Value<Fr>) -> Value<Fr> {
        value.map(|value| if self.wrong == Some(cell) { value + Fr::ONE } else { value })
    }
}

fn power(x: Expression<Fr>, by: usize) -> Expression<Fr> {
    (1..by).fold(x.clone(), |product, _| product * x.clone())
}

impl Circuit<Fr> for Mixed {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Shape;

    fn params(&self) -> Shape {
        self.shape
    }

    fn without_witnesses(&self) -> Self {
        Self::shape(self.shape)
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Config {
        unreachable!("the front end calls configure_with_params")
    }

    fn configure_with_params(system: &mut ConstraintSystem<Fr>, shape: Shape) -> Config {
        system.set_minimum_degree(shape.minimum_degree.unwrap_or(shape.degree));
        let advice = [(); 4].map(|()| system.advice_column());
        let [a, b, c, e] = advice;
        let [in_row, to_next, first] = [(); 3].map(|()| system.selector());
        let looked_up = system.complex_selector();
        let table = [(); 2].map(|()| system.lookup_table_column());
        system.create_gate("c = a b + 1", |cells| {
            let [a, b, c] = [a, b, c].map(|column| cells.query_advice(column, Rotation::cur()));
            vec![cells.query_selector(in_row) * (a * b + Expression::Constant(Fr::ONE) - c)]
        });
        system.create_gate("e = b^(degree - 1)", |cells| {
            let [b, e] = [b, e].map(|column| cells.query_advice(column, Rotation::cur()));
            vec![cells.query_selector(in_row) * (e - power(b, shape.degree - 1))]
        });
        system.create_gate("the next a is c", |cells| {
            let (next, c) = (cells.query_advice(a, Rotation::next()), cells.query_advice(c, Rotation::cur()));
            vec![cells.query_selector(to_next) * (next - c)]
        });
        if shape.lookups {
            system.lookup("b is small", |cells| {
                vec![(cells.query_selector(looked_up) * cells.query_advice(b, Rotation::cur()), table[0])]
            });
            system.lookup("e belongs to b", |cells| {
                let enabled = cells.query_selector(looked_up);
                let [b, e] =
                    [b, e].map(|column| enabled.clone() * cells.query_advice(column, Rotation::cur()));
                vec![(b, table[0]), (e, table[1])]
            });
        }
        if shape.copies {
            for column in advice {
                system.enable_equality(column);
            }
        }
        let constant = shape.copies.then(|| {
            let column = system.fixed_column();
            system.enable_constant(column);
            column
        });
        let instances = shape.instances.then(|| {
            let columns = [(); 2].map(|()| system.instance_column());
            if shape.copies {
                system.enable_equality(columns[1]);
            }
            system.create_gate("the start is public", |cells| {
                let a = cells.query_advice(a, Rotation::cur());
                vec![cells.query_selector(first) * (a - cells.query_instance(columns[0], Rotation::cur()))]
            });
            columns
        });
        let challenge = shape.challenge.then(|| {
            let (column, challenge) =
                (system.advice_column_in(SecondPhase), system.challenge_usable_after(FirstPhase));
            system.create_gate("d sums challenge * b", |cells| {
                let (d, next) = (
                    cells.query_advice(column, Rotation::cur()),
                    cells.query_advice(column, Rotation::next()),
                );
                let (b, challenge) =
                    (cells.query_advice(b, Rotation::next()), cells.query_challenge(challenge));
                vec![cells.query_selector(to_next) * (next - d - challenge * b)]
            });
            (column, challenge)
        });
        Config { shape, advice, in_row, to_next, first, looked_up, table, instances, challenge, constant }
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        if config.shape.lookups {
            layouter.assign_table(
                || "small numbers",
                |mut table| {
                    for row in 0..TABLE {
                        let power = Fr::from(row as u64).pow_vartime([self.shape.degree as u64 - 1]);
                        for (column, value) in config.table.into_iter().zip([Fr::from(row as u64), power]) {
                            table.assign_cell(|| "", column, row, || Value::known(value))?;
                        }
                    }
                    Ok(())
                },
            )?;
        }
        let end = layouter.assign_region(
            || "steps",
            |mut region| {
                let end = self.assign_steps(&config, &mut region)?;
                if let Some((column, challenge)) = config.challenge {
                    if self.shape.ends_phase {
                        region.next_phase();
                    }
                    self.assign_challenged(column, challenge, &mut region);
                }
                Ok(end)
            },
        )?;
        if let (Some([_, column]), true) = (config.instances, self.shape.copies) {
            layouter.constrain_instance(end, column, 1);
        }
        Ok(())
    }
}

impl Mixed {
    /// The cell of the last c.
    fn assign_steps(
        &self,
        config: &Config,
        region: &mut Region<'_, Fr>,
    ) -> Result<halo2_axiom::circuit::Cell, Error> {
        let shape = self.shape;
        let mut a = self.start.map_or_else(Value::unknown, Value::known);
        let mut above = None;
        config.first.enable(region, 0)?;
        for step in 0..shape.steps {
            config.in_row.enable(region, step)?;
            if shape.lookups {
                config.looked_up.enable(region, step)?;
            }
            if step + 1 < shape.steps {
                config.to_next.enable(region, step)?;
            }
            let b = self.start.map_or_else(Value::unknown, |_| Value::known(self.b(step)));
            let c = a * b + Value::known(Fr::ONE);
            let [of_a, of_b, of_c, of_e] = config.advice;
            let a_cell = region.assign_advice(of_a, step, self.value(Cell::A(step), a));
            let b_cell = region.assign_advice(of_b, step, self.value(Cell::B(step), b));
            let c_cell = region.assign_advice(of_c, step, self.value(Cell::C(step), c));
            let e = self.value(Cell::E(step), b.map(|b| b.pow_vartime([shape.degree as u64 - 1])));
            let fraction = e.map(|e| Assigned::Rational(e * Fr::from(7), Fr::from(7)));
            region.assign_advice(of_e, step, fraction);
            if shape.copies {
                if let Some(above) = above {
                    region.constrain_equal(a_cell.cell(), above);
                }
                if step == 0 && config.constant.is_some() {
                    region.constrain_constant(b_cell.cell(), Fr::ZERO)?;
                }
            }
            above = Some(c_cell.cell());
            a = c_cell.value().map(|value| value.evaluate());
            // A wrong c is wrong in its row alone.
            if self.wrong == Some(Cell::C(step)) {
                a = a.map(|a| a - Fr::ONE);
            }
        }
        above.ok_or(Error::Synthesis)
    }

    fn assign_challenged(&self, column: Column<Advice>, challenge: Challenge, region: &mut Region<'_, Fr>) {
        let challenge = region.get_challenge(challenge);
        let mut sum = Value::known(Fr::ZERO);
        for step in 0..self.shape.steps {
            let b = self.start.map_or_else(Value::unknown, |_| Value::known(self.b(step)));
            sum = sum + challenge * b;
            region.assign_advice(column, step, self.value(Cell::D(step), sum));
        }
    }
}
