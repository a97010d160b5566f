//! A wide circuit: rows of `a * b + c = d` in 45 groups of four columns, of which eight hand `d` on to the next row's `c` by
//! copies, and twenty columns of bytes with a lookup each.

use std::sync::Arc;

use halo2_axiom::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Circuit, Column, ConstraintSystem, Error, Instance, Selector, TableColumn},
    poly::Rotation,
};

use crate::circuits::Statement;

const GROUPS: usize = 45;
const CHAINED: usize = 8;
const LOOKUPS: usize = 20;
const BYTES: usize = 256;
/// Rows that no circuit may assign are fewer.
const RESERVED_ROWS: usize = 16;

#[derive(Clone)]
pub(crate) struct Wide {
    rows: usize,
    /// Row by row: the groups, then the bytes. Empty without a witness.
    cells: Arc<[Fr]>,
}

#[derive(Clone)]
pub(crate) struct Config {
    groups: Vec<[Column<Advice>; 4]>,
    bytes: Vec<Column<Advice>>,
    table: TableColumn,
    selector: Selector,
    instance: Column<Instance>,
}

impl Wide {
    pub(crate) const COLUMNS: usize = 4 * GROUPS + LOOKUPS;
    pub(crate) const LOOKUPS: usize = LOOKUPS;

    /// As many rows as fit in 2^k.
    pub(crate) fn new(k: u32) -> Self {
        let rows = (1 << k) - RESERVED_ROWS;
        let mut cells = Vec::with_capacity(rows * Self::COLUMNS);
        let mut seed = 1u64;
        let mut next = || {
            // Knuth's linear congruential generator: any values do.
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 16
        };
        for row in 0..rows {
            let above = row.checked_sub(1).map(|above| above * Self::COLUMNS);
            for group in 0..GROUPS {
                let [a, b] = [(); 2].map(|()| Fr::from(next()) * Fr::from(next()));
                let c = match above {
                    Some(above) if group < CHAINED => cells[above + 4 * group + 3],
                    _ => Fr::from(next()),
                };
                cells.extend([a, b, c, a * b + c]);
            }
            cells.extend((0..LOOKUPS).map(|_| Fr::from(next() % BYTES as u64)));
        }
        Self { rows, cells: cells.into() }
    }

    fn cell(&self, row: usize, column: usize) -> Value<Fr> {
        self.cells.get(row * Self::COLUMNS + column).map_or_else(Value::unknown, |cell| Value::known(*cell))
    }
}

impl Statement for Wide {
    /// The last row's `d` of the first group.
    fn public(&self) -> Fr {
        self.cells.get((self.rows - 1) * Self::COLUMNS + 3).copied().unwrap_or(Fr::ZERO)
    }
}

impl Circuit<Fr> for Wide {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self { rows: self.rows, cells: Arc::default() }
    }

    fn configure(system: &mut ConstraintSystem<Fr>) -> Config {
        let groups: Vec<[Column<Advice>; 4]> =
            (0..GROUPS).map(|_| std::array::from_fn(|_| system.advice_column())).collect();
        let bytes: Vec<_> = (0..LOOKUPS).map(|_| system.advice_column()).collect();
        let (table, selector, instance) =
            (system.lookup_table_column(), system.selector(), system.instance_column());
        system.enable_equality(instance);
        for &[_, _, c, d] in &groups[..CHAINED] {
            system.enable_equality(c);
            system.enable_equality(d);
        }
        system.create_gate("a * b + c = d", |cells| {
            let selector = cells.query_selector(selector);
            groups
                .iter()
                .map(|group| {
                    let [a, b, c, d] = group.map(|column| cells.query_advice(column, Rotation::cur()));
                    selector.clone() * (a * b + c - d)
                })
                .collect::<Vec<_>>()
        });
        for &byte in &bytes {
            system.lookup("bytes", |cells| vec![(cells.query_advice(byte, Rotation::cur()), table)]);
        }
        Config { groups, bytes, table, selector, instance }
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_table(
            || "bytes",
            |mut cells| {
                (0..BYTES).try_for_each(|byte| {
                    cells.assign_cell(|| "", config.table, byte, || Value::known(Fr::from(byte as u64)))
                })
            },
        )?;
        let end = layouter.assign_region(
            || "rows",
            |mut region| {
                let mut above = [None; GROUPS];
                for row in 0..self.rows {
                    config.selector.enable(&mut region, row)?;
                    for (group, columns) in config.groups.iter().enumerate() {
                        let [_, _, c, d] = std::array::from_fn(|at| {
                            region.assign_advice(columns[at], row, self.cell(row, 4 * group + at)).cell()
                        });
                        if let (Some(above), true) = (above[group], group < CHAINED) {
                            region.constrain_equal(c, above);
                        }
                        above[group] = Some(d);
                    }
                    for (at, &byte) in config.bytes.iter().enumerate() {
                        region.assign_advice(byte, row, self.cell(row, 4 * GROUPS + at));
                    }
                }
                above[0].ok_or(Error::Synthesis)
            },
        )?;
        layouter.constrain_instance(end, config.instance, 0);
        Ok(())
    }
}
