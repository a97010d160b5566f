//! Three phases, each with a challenge that the next one needs.

use halo2_axiom::{
    circuit::{Layouter, SimpleFloorPlanner, Value},
    halo2curves::bn256::Fr,
    plonk::{
        Advice, Challenge, Circuit, Column, ConstraintSystem, Error, FirstPhase, SecondPhase, Selector,
        ThirdPhase,
    },
    poly::Rotation,
};

use crate::support::{Setup, Shplonk};

/// b = first challenge * a, and c = second challenge * b + first challenge + `wrong`.
#[derive(Clone, Default)]
struct Phases {
    a: Option<Fr>,
    wrong: Fr,
}

#[derive(Clone)]
struct Config {
    columns: [Column<Advice>; 3],
    challenges: [Challenge; 2],
    selector: Selector,
}

impl Circuit<Fr> for Phases {
    type Config = Config;
    type FloorPlanner = SimpleFloorPlanner;
    type Params = ();

    fn without_witnesses(&self) -> Self {
        Self::default()
    }

    fn configure(system: &mut ConstraintSystem<Fr>) -> Config {
        let a = system.advice_column();
        let first = system.challenge_usable_after(FirstPhase);
        let b = system.advice_column_in(SecondPhase);
        let second = system.challenge_usable_after(SecondPhase);
        let c = system.advice_column_in(ThirdPhase);
        let selector = system.selector();
        system.create_gate("by challenges", |cells| {
            let [a, b, c] = [a, b, c].map(|column| cells.query_advice(column, Rotation::cur()));
            let [first, second] = [first, second].map(|challenge| cells.query_challenge(challenge));
            let selector = cells.query_selector(selector);
            vec![selector.clone() * (first.clone() * a - b.clone()), selector * (second * b + first - c)]
        });
        Config { columns: [a, b, c], challenges: [first, second], selector }
    }

    fn synthesize(&self, config: Config, mut layouter: impl Layouter<Fr>) -> Result<(), Error> {
        layouter.assign_region(
            || "row",
            |mut region| {
                config.selector.enable(&mut region, 0)?;
                let [first, second] = config.challenges;
                let a = self.a.map_or_else(Value::unknown, Value::known);
                region.assign_advice(config.columns[0], 0, a);
                region.next_phase();
                let first = region.get_challenge(first);
                let b = first * a;
                region.assign_advice(config.columns[1], 0, b);
                region.next_phase();
                let c = region.get_challenge(second) * b + first + Value::known(self.wrong);
                region.assign_advice(config.columns[2], 0, c);
                Ok(())
            },
        )
    }
}

#[test]
fn verifier_accepts_three_phases_and_rejects_a_wrong_cell_of_the_last() {
    let setup = Setup::new(4, &Phases::default());
    for wrong in [0, 1] {
        let circuit = Phases { a: Some(Fr::from(5)), wrong: Fr::from(wrong) };
        let proof = setup.prove::<Shplonk, _>(1, &[circuit], &[Vec::new()]).unwrap();
        assert_eq!(setup.accepts(&proof, &[Vec::new()]), wrong == 0);
    }
}
