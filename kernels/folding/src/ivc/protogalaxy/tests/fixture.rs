//! Computations that tests share.

use std::num::NonZeroUsize;
use std::sync::LazyLock;

use halo2curves::bn256::{Fq, Fr};
use halo2curves::ff::PrimeField;
use halo2curves::{bn256, grumpkin};

use super::super::state::State as AnyState;
use super::super::{IVC, PublicParams};
use crate::commitment::{CommitmentKey, testing};
use crate::frontend::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Fixed, Layouter, Rotation, Selector,
    StepCircuit, SynthesisError, TableColumn, Value,
};
use crate::ivc::{CircuitPublicParamsInput, Error, Refusal};
use crate::poseidon::{PoseidonRo, Spec};

type Ro = PoseidonRo<5, 4>;
pub(super) type C1 = bn256::G1Affine;
pub(super) type C2 = grumpkin::G1Affine;
pub(super) type Pp = PublicParams<'static, 1, 1, 5, C1, C2, Sample, Sample, Ro, Ro>;
pub(super) type Parameters = super::super::parameters::Parameters<'static, C1, C2, Ro>;
pub(super) type Run = IVC<1, 1, C1, C2>;
pub(super) type State = AnyState<C1, C2>;

/// Rows of the custom gate in a [`Sample`].
pub(super) const ROWS: usize = 3;

/// `z -> z^3 + z + 5`, once a row. In addition, two pairs are looked up among the numbers below 8 and their squares.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// The row whose output is off by one.
    pub(super) wrong_row: Option<usize>,
    pub(super) looked_up: [[u64; 2]; 2],
}

/// The sample, which satisfies its circuit.
pub(super) static HONEST: Sample = Sample { wrong_row: None, looked_up: [[3, 9], [7, 49]] };

impl Sample {
    /// The sample with one wrong row.
    pub(super) fn wrong(row: usize) -> Self {
        Self { wrong_row: Some(row), ..HONEST.clone() }
    }

    /// The sample that looks up what is not in the table.
    pub(super) fn missing() -> Self {
        Self { looked_up: [[3, 9], [7, 48]], ..HONEST.clone() }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Config {
    columns: [Column<Advice>; 2],
    constant: Column<Fixed>,
    cubing: Selector,
    looking: Selector,
    table: [TableColumn; 2],
}

impl<F: PrimeField> StepCircuit<1, F> for Sample {
    type Config = Config;

    fn configure(cs: &mut ConstraintSystem<F>) -> Config {
        let columns = [cs.advice_column(), cs.advice_column()];
        columns.iter().for_each(|column| cs.enable_equality(*column));
        let (constant, cubing, looking) = (cs.fixed_column(), cs.selector(), cs.complex_selector());
        let table = [cs.lookup_table_column(), cs.lookup_table_column()];
        cs.create_gate("cubic", |cells| {
            let [x, y] = columns.map(|column| cells.query_advice(column, Rotation::cur()));
            let c = cells.query_fixed(constant, Rotation::cur());
            let cubic = x.clone() * x.clone() * x.clone() + x + c - y;
            Constraints::with_selector(cubing, vec![("y = x^3 + x + c", cubic)])
        });
        cs.lookup("squares", |cells| {
            let looking = cells.query_selector(looking);
            let pair = columns.map(|column| cells.query_advice(column, Rotation::cur()));
            pair.into_iter().zip(table).map(|(value, table)| (looking.clone() * value, table)).collect()
        });
        Config { columns, constant, cubing, looking, table }
    }

    fn synthesize_step(
        &self,
        config: Config,
        layouter: &mut impl Layouter<F>,
        z_i: &[AssignedCell<F, F>; 1],
    ) -> Result<[AssignedCell<F, F>; 1], SynthesisError> {
        layouter.assign_table(
            || "squares",
            |mut table| {
                for number in 0..8_u64 {
                    let row = usize::try_from(number).expect("numbers are small");
                    for (column, value) in config.table.into_iter().zip([number, number * number]) {
                        table.assign_cell(|| "", column, row, || Value::known(F::from(value)))?;
                    }
                }
                Ok(())
            },
        )?;
        let output = layouter.assign_region(
            || "sample",
            |mut region| {
                let mut cell = z_i[0].clone();
                for row in 0..ROWS {
                    config.cubing.enable(&mut region, row)?;
                    let constant = F::from(5);
                    region.assign_fixed(|| "c", config.constant, row, || Value::known(constant))?;
                    let x = cell.copy_advice(|| "x", &mut region, config.columns[0], row)?;
                    let off = F::from(u64::from(self.wrong_row == Some(row)));
                    let y = x.value().map(|x| x.square() * x + x + constant + off);
                    cell = region.assign_advice(|| "y", config.columns[1], row, || y)?;
                }
                for (row, pair) in (ROWS..).zip(self.looked_up) {
                    config.looking.enable(&mut region, row)?;
                    for (column, value) in config.columns.into_iter().zip(pair) {
                        region.assign_advice(|| "", column, row, || Value::known(F::from(value)))?;
                    }
                }
                Ok(cell)
            },
        )?;
        Ok([output])
    }
}

pub(super) static KEYS: LazyLock<(CommitmentKey<C1>, CommitmentKey<C2>)> =
    LazyLock::new(|| (testing::on_bn256(16), testing::on_grumpkin(14)));

/// Parameters of the sample as both circuits, in tables of these sizes.
fn set_up(primary_table: u32, secondary_table: u32) -> Pp {
    let (primary_key, secondary_key) = &*KEYS;
    PublicParams::new(
        CircuitPublicParamsInput::new(primary_table, primary_key, Spec::reference().unwrap(), &HONEST),
        CircuitPublicParamsInput::new(secondary_table, secondary_key, Spec::reference().unwrap(), &HONEST),
        NonZeroUsize::new(68).unwrap(),
        NonZeroUsize::new(4).unwrap(),
    )
    .unwrap()
}

static PP: LazyLock<Pp> = LazyLock::new(|| set_up(17, 17));
static OTHER_PP: LazyLock<Pp> = LazyLock::new(|| set_up(18, 17));

pub(super) fn pp() -> &'static Pp {
    &PP
}

/// Parameters that differ from [`pp`] in a table's size alone: only their digests differ.
pub(super) fn other_pp() -> &'static Pp {
    &OTHER_PP
}

pub(super) fn parameters() -> &'static Parameters {
    &pp().parameters
}

/// A computation of one step from these inputs.
pub(super) fn start(pp: &Pp, z: u64, z2: u64) -> Run {
    IVC::new(pp, &HONEST, [Fr::from(z)], &HONEST, [Fq::from(z2)], false).unwrap()
}

/// One more step.
pub(super) fn step(pp: &Pp, run: &mut Run) {
    run.fold_step(pp, &HONEST, &HONEST).unwrap();
}

fn steps_from(z: u64, z2: u64) -> Vec<Run> {
    let mut runs = vec![start(pp(), z, z2)];
    while runs.len() < 4 {
        let mut run = runs[runs.len() - 1].clone();
        step(pp(), &mut run);
        runs.push(run);
    }
    runs
}

static RUNS: LazyLock<Vec<Run>> = LazyLock::new(|| steps_from(3, 4));
static OTHERS: LazyLock<Vec<Run>> = LazyLock::new(|| steps_from(5, 6));

/// An honest computation of 1 to 4 steps from 3 and 4.
pub(super) fn run(steps: usize) -> Run {
    RUNS[steps - 1].clone()
}

/// An honest computation of 1 to 4 steps from 5 and 6.
pub(super) fn other_run(steps: usize) -> Run {
    OTHERS[steps - 1].clone()
}

/// An honest computation before its first step.
pub(super) fn not_begun() -> Run {
    let mut run = run(1);
    run.state = parameters().start(vec![Fr::from(3)], vec![Fq::from(4)]);
    run
}

/// Why a state is refused.
#[track_caller]
pub(super) fn refusal(state: &State) -> Refusal {
    match parameters().verify(state) {
        Err(Error::Refused(refusal)) => refusal,
        other => panic!("it was not refused: {other:?}"),
    }
}
