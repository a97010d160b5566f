//! Circuits that lack what most have.

use halo2_axiom::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Circuit, Column, ConstraintSystem, Error, Expression, Fixed, Instance},
    poly::Rotation,
};

use crate::support::{Gwc, Setup, Shplonk};

/// Which columns there are, of at most one each.
#[derive(Clone, Copy, Debug, Default)]
struct Columns {
    advice: bool,
    fixed: bool,
    instance: bool,
    /// They are in the permutation, which copies nothing.
    equality: bool,
    /// The fixed column is looked up in itself.
    lookup: bool,
    /// A rotation as long as the table.
    rotation: i32,
}

#[derive(Clone)]
struct Bare(Columns);

type Config = (Option<Column<Advice>>, Option<Column<Fixed>>, Option<Column<Instance>>);

impl Circuit<Fr> for Bare {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = Columns;

    fn params(&self) -> Columns {
        self.0
    }

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn configure(_: &mut ConstraintSystem<Fr>) -> Config {
        unreachable!("the front end calls configure_with_params")
    }

    fn configure_with_params(system: &mut ConstraintSystem<Fr>, has: Columns) -> Config {
        let advice = has.advice.then(|| system.advice_column());
        let fixed = has.fixed.then(|| system.fixed_column());
        let instance = has.instance.then(|| system.instance_column());
        if has.equality {
            advice.into_iter().for_each(|column| system.enable_equality(column));
            fixed.into_iter().for_each(|column| system.enable_equality(column));
            instance.into_iter().for_each(|column| system.enable_equality(column));
        }
        if let (true, Some(fixed)) = (has.lookup, fixed) {
            system.lookup_any("itself", |cells| {
                let fixed = cells.query_fixed(fixed, Rotation::cur());
                vec![(fixed.clone(), fixed)]
            });
        }
        if let Some(advice) = advice {
            system.create_gate("all are zero", |cells| {
                let here = cells.query_advice(advice, Rotation::cur());
                let there = cells.query_advice(advice, Rotation(has.rotation));
                vec![Expression::Constant(Fr::ZERO) * (here - there)]
            });
        }
        (advice, fixed, instance)
    }

    fn synthesize(&self, (advice, fixed, _): Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_region(
            || "one cell",
            |mut region| {
                if let Some(advice) = advice {
                    region.assign_advice(advice, 0, Value::known(Fr::ZERO));
                }
                if let Some(fixed) = fixed {
                    region.assign_fixed(fixed, 0, Fr::from(5));
                }
                Ok(())
            },
        )
    }
}

fn check(k: u32, has: Columns) {
    let circuits = [Bare(has)];
    let setup = Setup::new(k, &circuits[0]);
    let instances = [if has.instance { vec![vec![Fr::from(9)]] } else { Vec::new() }];
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
    assert!(setup.accepts(&proof, &instances), "{has:?}");
    let proof = setup.prove::<Gwc, _>(1, &circuits, &instances).expect("a proof");
    assert!(setup.accepts_gwc(&proof, &instances), "{has:?}");
}

#[test]
fn verifier_accepts_circuits_without_advice() {
    check(4, Columns::default());
    check(4, Columns { fixed: true, ..Columns::default() });
    check(4, Columns { instance: true, ..Columns::default() });
    check(4, Columns { fixed: true, equality: true, ..Columns::default() });
    check(4, Columns { fixed: true, instance: true, equality: true, lookup: true, ..Columns::default() });
}

#[test]
fn verifier_accepts_circuits_of_few_rows() {
    // Five rows blind, one ends the grand products, and halo2 wants three more.
    check(3, Columns { advice: true, ..Columns::default() });
    check(
        3,
        Columns { advice: true, fixed: true, instance: true, equality: true, lookup: true, rotation: -1 },
    );
}

#[test]
fn verifier_accepts_an_empty_instance_column() {
    let has = Columns { advice: true, instance: true, equality: true, ..Columns::default() };
    let circuits = [Bare(has)];
    let setup = Setup::new(4, &circuits[0]);
    let instances = [vec![Vec::new()]];
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap();
    assert!(setup.accepts(&proof, &instances));
}

#[test]
fn prover_rejects_rotations_that_meet() {
    // As far round as there are rows is where it began.
    let circuits = [Bare(Columns { advice: true, rotation: 16, ..Columns::default() })];
    let result = Setup::new(4, &circuits[0]).prove::<Shplonk, _>(1, &circuits, &[Vec::new()]);
    assert!(matches!(result, Err(elastic_plonk::Error::QueriedTwice)), "{result:?}");
}
