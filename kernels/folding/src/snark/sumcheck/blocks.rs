//! One sum over rows that fall into blocks, each with its own polynomial.
//!
//! The columns of all blocks are side by side: column `i` has, in the rows of a block, the values of the block's `p_i`.
//! A row has as many bits as the sum has variables. Blocks are aligned: the bits above a block's own say which block
//! it is, and pick its polynomial. So the sum comes down to the value of each column at one point, however many blocks
//! there are. A block's own bits are bound first, the highest before the others; then the bits above, the lowest first.

use std::collections::BTreeMap;

use halo2curves::ff::{FromUniformBytes, PrimeField};

use super::claim::{Claim, combine, rounds_and_degree};
use super::prove::Running;
use super::univariate::{Interpolation, decompress, evaluate};
use super::{Error, Instance, Proof, Reduced, Summand};
use crate::snark::transcript::Transcript;

/// A block: its sum, with a weight, over its own rows.
pub struct Block<'a, F> {
    /// The first of its rows, a multiple of their number.
    pub first: usize,
    /// What is summed over them.
    pub instance: Instance<'a, F>,
}

/// A sum-check over blocks, and what its prover learns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedBlocks<F> {
    /// What is sent.
    pub proof: Proof<F>,
    /// What the verifier comes down to: of one claim, the sum of all blocks.
    pub reduced: Reduced<F>,
    /// The value of each column at its point.
    pub columns: Vec<F>,
}

/// Whether bit by bit `point`, behind its first `own` coordinates, is the block that starts at `first`: on the
/// hypercube 1 or 0.
pub fn block_selector<F: PrimeField>(point: &[F], own: usize, first: usize) -> F {
    let bits = (first >> own, &point[own.min(point.len())..]);
    bits.1.iter().enumerate().map(|(bit, x)| if bits.0 >> bit & 1 == 1 { *x } else { F::ONE - x }).product()
}

/// Proves the sum of all blocks over `2^variables` rows.
///
/// # Errors
///
/// [`Error`] for sums that are none, too large, or not in the shape of their tables; [`Error::Block`] for blocks that
/// are not aligned.
pub fn prove_blocks<F: FromUniformBytes<64>>(
    transcript: &mut Transcript,
    variables: usize,
    blocks: Vec<Block<'_, F>>,
) -> Result<ProvedBlocks<F>, Error> {
    if blocks.is_empty() {
        return Err(Error::NoSums);
    }
    let degree = blocks.iter().map(|block| block.instance.summand.degree() + 1).max().unwrap_or(1);
    let sum = blocks.iter().map(|block| block.instance.sum).sum();
    let claims = [Claim { variables, degree, sum }];
    rounds_and_degree(&claims)?;
    let width = blocks.iter().map(|block| block.instance.table.width()).max().unwrap_or(1);
    let mut open = Vec::with_capacity(blocks.len());
    for block in blocks {
        open.push(Open::new(block, variables)?);
    }

    let coefficients = combine(transcript, &claims);
    let mut proof = Proof { degree, coefficients: Vec::with_capacity(variables * degree) };
    let mut reduced = Reduced { point: Vec::with_capacity(variables), value: sum, coefficients };
    // The rows that blocks have come down to, by their place among blocks of this round's size.
    let mut rows = BTreeMap::new();
    let mut picked: Vec<Picked<'_, F>> = Vec::new();
    for round in 0..=variables {
        for block in open.extract_if(.., |block| block.variables == round) {
            let (block, row) = block.close(width);
            rows.insert(block.first >> round, row);
            picked.push(block);
        }
        if round == variables {
            break;
        }
        let mut message = vec![F::ZERO; degree + 1];
        let mut add = |own: &[F]| message.iter_mut().zip(own).for_each(|(all, own)| *all += *own);
        for block in &mut open {
            block.running.start_round(round);
            add(&block.running.message);
        }
        for block in &mut picked {
            add(&block.polynomial(round, &rows, width));
        }
        message.remove(1);
        transcript.absorb_scalars(b"sum-check round", &message);
        let r = transcript.challenge(b"sum-check point");
        reduced.value = evaluate(&decompress(&message, &reduced.value), &r);
        reduced.point.push(r);
        proof.coefficients.extend(message);
        open.iter_mut().for_each(|block| block.running.end_round(round, &r));
        picked.iter_mut().for_each(|block| block.bind(round, &r));
        rows = merge(&rows, &r, width);
    }
    let columns = rows.remove(&0).unwrap_or_else(|| vec![F::ZERO; width]);
    Ok(ProvedBlocks { proof, reduced, columns })
}

/// A block whose own bits are being bound.
struct Open<'a, F> {
    first: usize,
    variables: usize,
    running: Running<'a, F>,
}

impl<'a, F: PrimeField> Open<'a, F> {
    fn new(block: Block<'a, F>, variables: usize) -> Result<Self, Error> {
        let Block { first, instance } = block;
        let claim = instance.claim()?;
        let rows = 1_usize << claim.variables;
        if instance.summand.degree() == 0 {
            return Err(Error::Degree { found: 0, most: super::DEGREE_MAX });
        }
        if !first.is_multiple_of(rows) || first + rows > 1 << variables {
            return Err(Error::Block { first, rows, variables });
        }
        Ok(Self {
            first,
            variables: claim.variables,
            running: Running::new(instance, &claim, claim.variables),
        })
    }

    /// Its place, and the row that it has come down to.
    fn close(self, width: usize) -> (Picked<'a, F>, Vec<F>) {
        let Running { table, summand, weight, .. } = self.running;
        let mut row = table.values().to_vec();
        let inputs = row.len();
        row.resize(width, F::ZERO);
        let factor = weight.map_or(F::ONE, |weight| weight.bound());
        let interpolation = Interpolation::new(summand.degree() + 1);
        (Picked { first: self.first, inputs, factor, summand, interpolation }, row)
    }
}

/// A block that is one row, and differs from the others.
struct Picked<'a, F> {
    first: usize,
    inputs: usize,
    /// The values of its weight and of the bits that are bound.
    factor: F,
    summand: &'a dyn Summand<F>,
    interpolation: Interpolation<F>,
}

impl<F: PrimeField> Picked<'_, F> {
    /// Whether the block has a 1 where the round binds a bit.
    fn is_one(&self, round: usize) -> bool {
        self.first >> round & 1 == 1
    }

    /// The round's polynomial: the selector's factor, times the summand on the line from the row before to the row behind.
    fn polynomial(&self, round: usize, rows: &BTreeMap<usize, Vec<F>>, width: usize) -> Vec<F> {
        let nothing = vec![F::ZERO; width];
        let place = self.first >> round & !1;
        let [zero, one] = [place, place | 1].map(|place| rows.get(&place).unwrap_or(&nothing));
        let mut scratch = vec![F::ZERO; self.summand.scratch()];
        let mut row = vec![F::ZERO; self.inputs];
        let values: Vec<F> = (0..=self.summand.degree() as u64 + 1)
            .map(|x| {
                let x = F::from(x);
                for ((value, zero), one) in row.iter_mut().zip(zero).zip(one) {
                    *value = *zero + x * (*one - zero);
                }
                let selector = if self.is_one(round) { x } else { F::ONE - x };
                self.factor * selector * self.summand.evaluate(&row, &mut scratch)
            })
            .collect();
        self.interpolation.coefficients(&values)
    }

    fn bind(&mut self, round: usize, r: &F) {
        self.factor *= if self.is_one(round) { *r } else { F::ONE - r };
    }
}

/// The rows of neighbours, bound to one.
fn merge<F: PrimeField>(rows: &BTreeMap<usize, Vec<F>>, r: &F, width: usize) -> BTreeMap<usize, Vec<F>> {
    let mut merged = BTreeMap::new();
    for (place, row) in rows {
        let factor = if place & 1 == 1 { *r } else { F::ONE - r };
        let sum = merged.entry(place >> 1).or_insert_with(|| vec![F::ZERO; width]);
        sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
    }
    merged
}
