//! Cells that are assigned to more than once.

use halo2_axiom::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::{bn256::Fr, ff::Field},
    plonk::{Advice, Assigned, Circuit, Column, ConstraintSystem, Error, Instance, Selector},
    poly::Rotation,
};

use crate::support::{Setup, Shplonk};

/// One cell, which is assigned these values one after the other, and has to be what the instance is.
#[derive(Clone)]
struct Again(Vec<Assigned<Fr>>);

impl Circuit<Fr> for Again {
    type Config = (Column<Advice>, Selector);
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        self.clone()
    }

    fn configure(system: &mut ConstraintSystem<Fr>) -> Self::Config {
        let (advice, selector) = (system.advice_column(), system.selector());
        let instance: Column<Instance> = system.instance_column();
        system.create_gate("as the instance", |cells| {
            let [advice, instance] = [
                cells.query_advice(advice, Rotation::cur()),
                cells.query_instance(instance, Rotation::cur()),
            ];
            vec![cells.query_selector(selector) * (advice - instance)]
        });
        (advice, selector)
    }

    fn synthesize(
        &self,
        (advice, selector): Self::Config,
        mut layouter: impl Layouter<Fr>,
    ) -> Result<(), Error> {
        layouter.assign_region(
            || "cell",
            |mut region| {
                selector.enable(&mut region, 0)?;
                let cells: Vec<_> = self
                    .0
                    .iter()
                    .map(|value| region.assign_advice(advice, 0, Value::known(*value)))
                    .collect();
                // What was returned for each value is still that value.
                for (cell, value) in cells.iter().zip(&self.0) {
                    cell.value().assert_if_known(|held| ***held == *value);
                }
                Ok(())
            },
        )
    }
}

#[test]
fn the_last_of_several_values_of_a_cell_counts() {
    let whole = |value: u64| Assigned::Trivial(Fr::from(value));
    let half = Assigned::Rational(Fr::from(6), Fr::from(2));
    for values in [
        vec![whole(1), whole(2)],
        vec![whole(1), whole(2), whole(1)],
        vec![whole(1), half],
        vec![half, whole(2), whole(2)],
        vec![whole(3), half, Assigned::Zero],
    ] {
        let last = values.last().map_or(Fr::ZERO, |value| value.evaluate());
        let circuit = Again(values);
        let setup = Setup::new(4, &circuit);
        let instances = [vec![vec![last]]];
        let proof =
            setup.prove::<Shplonk, _>(1, std::slice::from_ref(&circuit), &instances).expect("a proof");
        assert!(setup.accepts(&proof, &instances), "{:?}", circuit.0);
    }
}
