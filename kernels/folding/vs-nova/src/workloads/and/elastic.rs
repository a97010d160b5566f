//! 64-bit AND by lookups: sixteen digits a number, each pair of them in a table with what they have in common.

use std::sync::Arc;

use elastic_folding::frontend::{
    Advice, AssignedCell, Column, ConstraintSystem, Constraints, Expression, Layouter, Rotation, Selector,
    StepCircuit, SynthesisError, TableColumn, Value,
};
use halo2curves::{bn256::Fr, ff::Field};

use super::And;
use crate::{
    elastic::{Backend, Elastic, ElasticWorkload, Stepped},
    side::Side,
};

/// Bits of a digit. A row of the table costs as much as a lookup: 256 of them, and 16 lookups a pair.
const DIGIT_BITS: usize = 4;
const DIGITS: usize = 64 / DIGIT_BITS;
const BASE: u64 = 1 << DIGIT_BITS;
/// What the verifier's circuit commits to in addition, where a step has lookups.
const LOOKUP_VALUES: usize = 4 << 10;

/// One step, given its pairs.
#[derive(Clone, Debug)]
pub(crate) struct AndCircuit {
    pairs: Arc<[(u64, u64)]>,
}

/// Where it is laid out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AndConfig {
    /// Digits of both numbers and of what they have in common, lowest first.
    digits: [Column<Advice>; 3],
    /// The sum before a pair next to its first digits, and below its last the sum after it.
    sum: Column<Advice>,
    looking: Selector,
    adding: Selector,
    table: [TableColumn; 3],
}

impl Stepped<1> for And {
    type Circuit = AndCircuit;

    fn circuit(&self, pairs: &Arc<[(u64, u64)]>) -> AndCircuit {
        AndCircuit { pairs: Arc::clone(pairs) }
    }

    fn values(&self) -> usize {
        LOOKUP_VALUES + (3 * DIGITS + 1) * self.pairs
    }
}

impl ElasticWorkload for And {
    fn elastic(&self, backend: Backend) -> Box<dyn Side<Self>> {
        Box::new(Elastic::new(self.clone(), backend))
    }
}

impl StepCircuit<1, Fr> for AndCircuit {
    type Config = AndConfig;

    fn configure(cs: &mut ConstraintSystem<Fr>) -> AndConfig {
        let digits = [cs.advice_column(), cs.advice_column(), cs.advice_column()];
        let (sum, looking, adding) = (cs.advice_column(), cs.complex_selector(), cs.selector());
        let table = [cs.lookup_table_column(), cs.lookup_table_column(), cs.lookup_table_column()];
        cs.enable_equality(sum);
        cs.lookup("digits", |cells| {
            let looking = cells.query_selector(looking);
            let pairs = digits.into_iter().zip(table);
            pairs
                .map(|(digit, column)| (looking.clone() * cells.query_advice(digit, Rotation::cur()), column))
                .collect()
        });
        cs.create_gate("sum", |cells| {
            let mut after = cells.query_advice(sum, Rotation::cur());
            let mut place = Fr::ONE;
            for digit in (0..).take(DIGITS) {
                after = after + cells.query_advice(digits[2], Rotation(digit)) * Expression::Constant(place);
                place *= Fr::from(BASE);
            }
            let below = i32::try_from(DIGITS).expect("it is 16");
            Constraints::with_selector(adding, vec![after - cells.query_advice(sum, Rotation(below))])
        });
        AndConfig { digits, sum, looking, adding, table }
    }

    fn synthesize_step(
        &self,
        config: AndConfig,
        layouter: &mut impl Layouter<Fr>,
        [z]: &[AssignedCell<Fr, Fr>; 1],
    ) -> Result<[AssignedCell<Fr, Fr>; 1], SynthesisError> {
        layouter.assign_table(
            || "digits",
            |mut table| {
                for (row, (a, b)) in (0..BASE).flat_map(|a| (0..BASE).map(move |b| (a, b))).enumerate() {
                    for (column, digit) in config.table.into_iter().zip([a, b, a & b]) {
                        table.assign_cell(|| "digit", column, row, || Value::known(Fr::from(digit)))?;
                    }
                }
                Ok(())
            },
        )?;
        let sum = layouter.assign_region(
            || "pairs",
            |mut region| {
                let mut sum = z.copy_advice(|| "z", &mut region, config.sum, 0)?;
                for (pair, &(a, b)) in self.pairs.iter().enumerate() {
                    let first = pair * DIGITS;
                    config.adding.enable(&mut region, first)?;
                    for digit in 0..DIGITS {
                        config.looking.enable(&mut region, first + digit)?;
                        for (column, number) in config.digits.into_iter().zip([a, b, a & b]) {
                            let value = Fr::from(number >> (digit * DIGIT_BITS) & (BASE - 1));
                            region.assign_advice(
                                || "digit",
                                column,
                                first + digit,
                                || Value::known(value),
                            )?;
                        }
                    }
                    let after = sum.value().map(|sum| sum + Fr::from(a & b));
                    sum = region.assign_advice(|| "sum", config.sum, first + DIGITS, || after)?;
                }
                Ok(sum)
            },
        )?;
        Ok([sum])
    }
}
