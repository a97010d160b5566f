//! A random circuit as the front end takes it.

use std::{collections::HashMap, sync::Arc};

use halo2_axiom::{
    circuit::{Cell, Layouter, Region, SimpleFloorPlanner, Value},
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Assigned, Challenge, Circuit, Column, ConstraintSystem, Error, Expression, FirstPhase, Fixed,
        Instance, SecondPhase, Selector, ThirdPhase,
    },
    poly::Rotation,
};

use super::{
    spec::{CopyFrom, FIRST, ROWS, Role, Spec},
    witness::Witness,
};

/// A circuit without a witness is what keys are made of.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    pub(crate) spec: Arc<Spec>,
    pub(crate) witness: Option<Witness>,
}

#[derive(Clone, Debug)]
pub(crate) struct Config {
    pub(crate) advice: Vec<Column<Advice>>,
    pub(crate) fixed: Vec<Column<Fixed>>,
    pub(crate) instances: Vec<Column<Instance>>,
    pub(crate) challenges: Vec<Challenge>,
    constrained: Selector,
    looked_up: Selector,
}

impl Circuit<Fr> for Random {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Arc<Spec>;

    fn params(&self) -> Arc<Spec> {
        Arc::clone(&self.spec)
    }

    fn without_witnesses(&self) -> Self {
        Self { spec: Arc::clone(&self.spec), witness: None }
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Config {
        unreachable!("the front end calls configure_with_params")
    }

    fn configure_with_params(system: &mut ConstraintSystem<Fr>, spec: Arc<Spec>) -> Config {
        system.set_minimum_degree(spec.degree);
        let mut challenges = Vec::new();
        let mut advice = Vec::new();
        for phase in 0..spec.phases {
            for _ in spec.advice.iter().filter(|column| column.phase == phase) {
                advice.push(match phase {
                    0 => system.advice_column_in(FirstPhase),
                    1 => system.advice_column_in(SecondPhase),
                    _ => system.advice_column_in(ThirdPhase),
                });
            }
            for _ in spec.challenges.iter().filter(|&&of| of == phase) {
                challenges.push(match phase {
                    0 => system.challenge_usable_after(FirstPhase),
                    _ => system.challenge_usable_after(SecondPhase),
                });
            }
        }
        let config = Config {
            advice,
            fixed: spec.fixed.iter().map(|_| system.fixed_column()).collect(),
            instances: spec.instances.iter().map(|_| system.instance_column()).collect(),
            challenges,
            constrained: system.selector(),
            looked_up: system.complex_selector(),
        };
        for (at, column) in spec.advice.iter().enumerate() {
            let Role::Target(node) = &column.role else { continue };
            system.create_gate("target", |cells| {
                let value = node.expression(&config, cells);
                let target = cells.query_advice(config.advice[at], Rotation::cur());
                vec![cells.query_selector(config.constrained) * (value - target)]
            });
        }
        add_lookups(system, &spec, &config);
        add_equality(system, &spec, &config);
        config
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        let cells = layouter.assign_region(|| "all", |mut region| self.assign(&config, &mut region))?;
        for (sink, from) in &self.spec.copies {
            if let CopyFrom::Instance(column, row) = *from {
                layouter.constrain_instance(cells[sink], config.instances[column], row);
            }
        }
        Ok(())
    }
}

fn add_lookups(system: &mut ConstraintSystem<Fr>, spec: &Spec, config: &Config) {
    for lookup in &spec.lookups {
        system.lookup_any("rows of the table", |cells| {
            let enabled = cells.query_selector(config.looked_up);
            let tables: Vec<Expression<Fr>> = match lookup.advice {
                Some(table) => vec![cells.query_advice(config.advice[table], Rotation::cur())],
                None => lookup
                    .fixed
                    .iter()
                    .map(|&table| cells.query_fixed(config.fixed[table], Rotation::cur()))
                    .collect(),
            };
            let inputs = lookup.inputs.iter().map(|&input| {
                let input = cells.query_advice(config.advice[input], Rotation::cur());
                (0..lookup.power).fold(enabled.clone(), |product, _| product * input.clone())
            });
            inputs.collect::<Vec<_>>().into_iter().zip(tables).collect()
        });
    }
}

fn add_equality(system: &mut ConstraintSystem<Fr>, spec: &Spec, config: &Config) {
    for ((sink, _), from) in &spec.copies {
        system.enable_equality(config.advice[*sink]);
        match *from {
            CopyFrom::Advice(column, _) => system.enable_equality(config.advice[column]),
            CopyFrom::Fixed(column, _) => system.enable_equality(config.fixed[column]),
            CopyFrom::Instance(column, _) => system.enable_equality(config.instances[column]),
            CopyFrom::Constant(_) => {}
        }
    }
    if spec.copies.iter().any(|(_, from)| matches!(from, CopyFrom::Constant(_))) {
        let column = system.fixed_column();
        system.enable_constant(column);
    }
}

impl Random {
    /// The cells of advice columns.
    fn assign(
        &self,
        config: &Config,
        region: &mut Region<'_, Fr>,
    ) -> Result<HashMap<(usize, usize), Cell>, Error> {
        let spec = &*self.spec;
        for row in FIRST..FIRST + spec.steps {
            config.constrained.enable(region, row)?;
            config.looked_up.enable(region, row)?;
        }
        let mut fixed = HashMap::new();
        for (at, values) in spec.fixed.iter().enumerate() {
            for (row, value) in values.iter().enumerate() {
                fixed.insert((at, row), region.assign_fixed(config.fixed[at], row, *value));
            }
        }
        let mut cells = HashMap::new();
        for phase in 0..spec.phases {
            self.assign_phase(phase, config, region, &mut cells);
            if spec.ends_phases && phase + 1 < spec.phases {
                region.next_phase();
            }
        }
        for (sink, from) in &spec.copies {
            match from {
                CopyFrom::Advice(column, row) => region.constrain_equal(cells[sink], cells[&(*column, *row)]),
                CopyFrom::Fixed(column, row) => region.constrain_equal(cells[sink], fixed[&(*column, *row)]),
                CopyFrom::Constant(value) => region.constrain_constant(cells[sink], Fr::from(*value))?,
                CopyFrom::Instance(..) => {}
            }
        }
        Ok(cells)
    }

    fn assign_phase(
        &self,
        phase: usize,
        config: &Config,
        region: &mut Region<'_, Fr>,
        cells: &mut HashMap<(usize, usize), Cell>,
    ) {
        let challenges: Vec<Option<Fr>> = config
            .challenges
            .iter()
            .map(|&challenge| {
                let mut known = None;
                region.get_challenge(challenge).map(|value| known = Some(value));
                known
            })
            .collect();
        let values = self.witness.as_ref().map(|witness| witness.advice(&self.spec, &challenges));
        for (at, _) in self.spec.advice.iter().enumerate().filter(|(_, column)| column.phase == phase) {
            for row in 0..ROWS {
                let value = values.as_ref().and_then(|values| values[at][row]);
                // Some as fractions.
                let value = value.map(|value| match (at + row) % 5 {
                    0 => Assigned::Rational(value * Fr::from(6), Fr::from(6)),
                    _ => Assigned::Trivial(value),
                });
                let value = value.map_or_else(Value::unknown, Value::known);
                cells.insert((at, row), region.assign_advice(config.advice[at], row, value).cell());
            }
        }
    }
}
