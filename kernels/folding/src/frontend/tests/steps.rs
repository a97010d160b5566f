//! Steps one after the other.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use super::super::*;
use super::circuits::Cubic;

#[test]
fn the_output_of_a_step_is_the_input_of_the_next() {
    let circuit = Cubic { repeats: 4, constant: 5 };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    let mut z = [Fr::random(ChaCha8Rng::seed_from_u64(1))];
    for _ in 0..5 {
        let witness = setup.witness(&circuit, &z).unwrap();
        setup.check(&witness).unwrap();
        assert_eq!(witness.values[0], z[0]);
        z = witness.z_out;
    }
}

#[test]
fn process_step_computes_the_same_function_as_synthesize_step() {
    let circuit = Cubic { repeats: 4, constant: 5 };
    let setup = StepSetup::new(&circuit, 17).unwrap();
    for seed in 0..5 {
        let z = [Fr::random(ChaCha8Rng::seed_from_u64(seed))];
        assert_eq!(circuit.process_step(&z, 17).unwrap(), setup.witness(&circuit, &z).unwrap().z_out);
    }
}

#[test]
fn the_trivial_step_returns_its_input_without_rows() {
    let circuit = trivial::Circuit::<3, Fr>::default();
    let setup = StepSetup::new(&circuit, 17).unwrap();
    let z = [1, 2, 3].map(Fr::from);
    let witness = setup.witness(&circuit, &z).unwrap();
    assert_eq!((witness.z_out, &witness.values[..]), (z, &z[..]));
    assert_eq!(circuit.process_step(&z, 17).unwrap(), z);
    let shape = setup.shape();
    assert_eq!((shape.variables, shape.gates.len(), shape.lookups.len()), (3, 0, 0));
    assert_eq!(shape.outputs, [0, 1, 2].map(Operand::Variable));
}

/// `z_out = 1 / z_in`, or 0, assigned as fractions and copied; `copied` is added to the numerator of the copy.
#[derive(Clone, Copy, Debug, Default)]
struct Inverse {
    copied: u64,
}

impl StepCircuit<1, Fr> for Inverse {
    type Config = [Column<Advice>; 2];

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let columns = [cs.advice_column(), cs.advice_column()];
        columns.iter().for_each(|column| cs.enable_equality(*column));
        columns
    }

    fn synthesize_step(
        &self,
        columns: Self::Config,
        layouter: &mut impl Layouter<Fr>,
        z_i: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let output = layouter.assign_region(
            || "inverse",
            |mut region| {
                let fraction =
                    |numerator: u64| z_i[0].value().map(|z| Rational::from((Fr::from(numerator), *z)));
                let inverse = region.assign_advice(|| "", columns[0], 0, || fraction(1))?;
                let copy = region.assign_advice(|| "", columns[1], 0, || fraction(1 + self.copied))?;
                region.constrain_equal(inverse.cell(), copy.cell())?;
                let known = inverse.value_field().evaluate().map(|value| value + Fr::from(self.copied));
                let plain = region.assign_advice(|| "", columns[1], 1, || known)?;
                region.constrain_equal(inverse.cell(), plain.cell())?;
                Ok(inverse.evaluate())
            },
        )?;
        Ok([output])
    }
}

#[test]
fn fractions_are_inverted_and_one_over_zero_is_zero() {
    let setup = StepSetup::new(&Inverse::default(), 17).unwrap();
    for z in [Fr::from(3), Fr::ONE, Fr::ZERO] {
        let witness = setup.witness(&Inverse::default(), &[z]).unwrap();
        assert_eq!(witness.z_out, [z.invert().unwrap_or(Fr::ZERO)]);
        assert_eq!(Inverse::default().process_step(&[z], 17).unwrap(), witness.z_out);
        setup.check(&witness).unwrap();
    }
}

#[test]
fn copies_of_a_fraction_are_compared_when_it_is_known() {
    let setup = StepSetup::new(&Inverse::default(), 17).unwrap();
    let witness = setup.witness(&Inverse { copied: 1 }, &[Fr::from(3)]).unwrap();
    let third = Fr::from(3).invert().unwrap();
    let cell = |row| CellName { lane: Lane::Advice(1), row };
    let expected = [
        Conflict { cell: cell(0), value: third.double(), expected: third },
        Conflict { cell: cell(1), value: third + Fr::ONE, expected: third },
    ];
    assert_eq!(witness.conflicts, expected);
}
