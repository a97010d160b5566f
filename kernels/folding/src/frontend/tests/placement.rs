//! Where regions and constants go, against the front end's mock prover.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::super::*;
use super::mock::Mocked;

/// Three regions and a constant whose rows depend on each other:
///
/// ```text
/// row   a        b        f
/// 0     first             the constant, 9
/// 1     first
/// 2     first
/// 3     second   second   second
/// 4              third
/// ```
///
/// The gate in row 3 requires that `b` is the cell of `a` one row above plus the constant three rows above plus `f`, and
/// that the next cell of `b` is 5.
#[derive(Clone, Copy, Debug)]
struct Stacked {
    above: u64,
    sum: u64,
    after: u64,
}

impl StepCircuit<1, Fr> for Stacked {
    type Config = ([Column<Advice>; 2], Column<Fixed>, Selector);

    fn configure(cs: &mut ConstraintSystem<Fr>) -> Self::Config {
        let ([a, b], f, enabled) =
            ([cs.advice_column(), cs.advice_column()], cs.fixed_column(), cs.selector());
        cs.enable_equality(a);
        cs.enable_constant(f);
        cs.create_gate("stacked", |cells| {
            let above = cells.query_advice(a, Rotation::prev());
            let sum = cells.query_advice(b, Rotation::cur());
            let after = cells.query_advice(b, Rotation::next());
            let (constant, fixed) =
                (cells.query_fixed(f, Rotation(-3)), cells.query_fixed(f, Rotation::cur()));
            let five = Expression::Constant(Fr::from(5));
            Constraints::with_selector(
                enabled,
                vec![("sum", above + constant + fixed - sum), ("after", after - five)],
            )
        });
        ([a, b], f, enabled)
    }

    fn synthesize_step(
        &self,
        ([a, b], f, enabled): Self::Config,
        layouter: &mut impl Layouter<Fr>,
        _: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        let known = |value: u64| Value::known(Fr::from(value));
        layouter.assign_region(
            || "first",
            |mut region| {
                let nine = region.assign_advice(|| "", a, 0, || known(9))?;
                region.constrain_constant(nine.cell(), Fr::from(9))?;
                region.assign_advice(|| "", a, 1, || known(1))?;
                region.assign_advice(|| "", a, 2, || known(self.above))
            },
        )?;
        let output = layouter.assign_region(
            || "second",
            |mut region| {
                enabled.enable(&mut region, 0)?;
                region.assign_fixed(|| "", f, 0, || known(3))?;
                region.assign_advice(|| "", a, 0, || known(2))?;
                region.assign_advice(|| "", b, 0, || known(self.sum))
            },
        )?;
        layouter.assign_region(
            || "third",
            |mut region| region.assign_advice(|| "", b, 0, || known(self.after)),
        )?;
        Ok([output])
    }
}

#[test]
fn regions_and_constants_have_the_rows_that_the_front_end_gives_them() {
    let cases = [
        (Stacked { above: 4, sum: 16, after: 5 }, true),
        (Stacked { above: 5, sum: 16, after: 5 }, false),
        (Stacked { above: 4, sum: 7, after: 5 }, false),
        (Stacked { above: 4, sum: 16, after: 6 }, false),
    ];
    for (circuit, expected) in cases {
        let mocked = Mocked::new(&circuit, [Fr::ONE]);
        assert_eq!(mocked.accepts(), expected, "mock prover, {circuit:?}");
        let setup = StepSetup::with_any_table(&circuit, mocked.k()).unwrap();
        let witness = setup.witness(&circuit, &[Fr::ONE]).unwrap();
        assert_eq!(setup.check(&witness).is_ok(), expected, "{circuit:?}");
    }
}
