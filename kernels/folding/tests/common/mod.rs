//! A small computation that tests of the public interface share.

#![allow(dead_code, reason = "each test program uses a part")]

use std::sync::LazyLock;

use elastic_folding::prelude::bn256::{
    C1Affine, C1Scalar, C2Affine, C2Scalar, IVC, PublicParams, new_default_pp,
};
use elastic_folding::prelude::ff::Field as _;
use elastic_folding::prelude::{
    Advice, AssignedCell, Column, CommitmentKey, ConstraintSystem, Constraints, Layouter, Rotation, Selector,
    StepCircuit, SynthesisError, Value, trivial,
};

/// `z_out = z_in^2 + w`, where `w` is the step's witness.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Square {
    pub(crate) witness: u64,
    /// What is added to the output without leave of the gate.
    pub(crate) excess: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SquareConfig {
    input: Column<Advice>,
    witness: Column<Advice>,
    output: Column<Advice>,
    enabled: Selector,
}

impl StepCircuit<1, C1Scalar> for Square {
    type Config = SquareConfig;

    fn configure(cs: &mut ConstraintSystem<C1Scalar>) -> SquareConfig {
        let [input, witness, output] = std::array::from_fn(|_| cs.advice_column());
        let enabled = cs.selector();
        cs.enable_equality(input);
        cs.enable_equality(output);
        cs.create_gate("square", |cells| {
            let [x, w, y] =
                [input, witness, output].map(|column| cells.query_advice(column, Rotation::cur()));
            Constraints::with_selector(enabled, vec![("y = x^2 + w", x.clone() * x + w - y)])
        });
        SquareConfig { input, witness, output, enabled }
    }

    fn synthesize_step(
        &self,
        config: SquareConfig,
        layouter: &mut impl Layouter<C1Scalar>,
        z_i: &[AssignedCell<C1Scalar, C1Scalar>; 1],
    ) -> Result<[AssignedCell<C1Scalar, C1Scalar>; 1], SynthesisError> {
        let output = layouter.assign_region(
            || "square",
            |mut region| {
                config.enabled.enable(&mut region, 0)?;
                let x = z_i[0].copy_advice(|| "x", &mut region, config.input, 0)?;
                let w = Value::known(C1Scalar::from(self.witness));
                region.assign_advice(|| "w", config.witness, 0, || w)?;
                let y = x.value().zip(w).map(|(x, w)| x.square() + w + C1Scalar::from(self.excess));
                region.assign_advice(|| "y", config.output, 0, || y)
            },
        )?;
        Ok([output])
    }
}

/// The secondary step.
pub(crate) type Same = trivial::Circuit<1, C2Scalar>;

/// Parameters of [`Square`] as primary and [`Same`] as secondary circuit.
pub(crate) type Parameters = PublicParams<'static, 1, 1, Square, Same>;

pub(crate) static PRIMARY_KEY: LazyLock<CommitmentKey<C1Affine>> =
    LazyLock::new(|| CommitmentKey::setup(16, b"bn256").unwrap());
pub(crate) static SECONDARY_KEY: LazyLock<CommitmentKey<C2Affine>> =
    LazyLock::new(|| CommitmentKey::setup(13, b"grumpkin").unwrap());
pub(crate) static SQUARE: Square = Square { witness: 0, excess: 0 };
pub(crate) static SAME: LazyLock<Same> = LazyLock::new(Same::default);

/// The parameters that most tests are about.
pub(crate) static PARAMETERS: LazyLock<Parameters> = LazyLock::new(|| {
    new_default_pp::<1, _, 1, _>(17, &PRIMARY_KEY, &SQUARE, 17, &SECONDARY_KEY, &*SAME).unwrap()
});

pub(crate) const Z_0: [C1Scalar; 1] = [C1Scalar::ONE];
pub(crate) const SECONDARY_Z_0: [C2Scalar; 1] = [C2Scalar::ONE];

/// A computation of so many steps, whose witnesses are 1, 2 and so on.
pub(crate) fn computed(steps: u64) -> IVC<1, 1> {
    let step = |witness| Square { witness, excess: 0 };
    let mut ivc = IVC::new(&PARAMETERS, &step(1), Z_0, &*SAME, SECONDARY_Z_0, false).unwrap();
    for witness in 2..=steps {
        ivc.fold_step(&PARAMETERS, &step(witness), &*SAME).unwrap();
    }
    ivc
}

/// What so many steps compute.
pub(crate) fn output(steps: u64) -> [C1Scalar; 1] {
    [(1..=steps).fold(Z_0[0], |x, witness| x.square() + C1Scalar::from(witness))]
}
