//! The permuted columns of a lookup of 16-bit numbers. halo2 keeps its code to itself: the peer is its algorithm, written
//! here, with the sort in parallel as it has it. [halo2's plonk/lookup/prover.rs, `permute_expression_pair`]

use std::collections::BTreeMap;

use halo2curves::bn256::Fr;
use rayon::slice::ParallelSliceMut;
use zkaccel::{Buffer, PermuteOrder};
use zkaccel_measure::Effort;

use super::{Rows, power};
use crate::{
    inputs,
    machine::Machine,
    turns::{Contender, Measured, measure},
};

const LOGS: &[u32] = &[14, 18, 20];

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    effort.logs(LOGS).iter().map(|&k| row(machine, effort, k)).collect()
}

fn row(machine: &Machine, effort: &Effort, k: u32) -> Result<Measured, Box<dyn std::error::Error>> {
    let n = 1 << k;
    let (a, s) = inputs::lookup(n);
    let expected = permuted(&a, &s);
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let (a, s) = (Buffer::of(&ours.context, &a)?, Buffer::of(&ours.context, &s)?);
        let (mut a_out, mut s_out) = (Buffer::new(&ours.context, n)?, Buffer::new(&ours.context, n)?);
        let order = PermuteOrder::FirstMeets;
        ours.context.at_once().permute(&a, &s, n, order, &mut a_out, &mut s_out)?;
        assert!(Some((a_out.to_vec()?, s_out.to_vec()?)) == expected);
        contenders.push(Contender::new(ours.name, move || {
            let outputs = (&mut a_out, &mut s_out);
            ours.context.at_once().permute(&a, &s, n, order, outputs.0, outputs.1).expect("it worked before");
        }));
    }
    contenders.push(Contender::new("halo2's algorithm", || drop(std::hint::black_box(permuted(&a, &s)))));
    Ok(measure(machine, effort, ("permuted columns of a lookup", power(k), 0.0), contenders))
}

/// None where the table lacks a value.
fn permuted(a: &[Fr], s: &[Fr]) -> Option<(Vec<Fr>, Vec<Fr>)> {
    let mut inputs = a.to_vec();
    inputs.par_sort();
    let mut left = BTreeMap::<Fr, usize>::new();
    for &value in s {
        *left.entry(value).or_default() += 1;
    }
    let mut table = vec![Fr::zero(); a.len()];
    let mut repeated = Vec::new();
    for (row, &value) in inputs.iter().enumerate() {
        if row > 0 && inputs[row - 1] == value {
            repeated.push(row);
        } else {
            *left.get_mut(&value)? -= 1;
            table[row] = value;
        }
    }
    for (value, count) in left {
        for _ in 0..count {
            table[repeated.pop()?] = value;
        }
    }
    Some((inputs, table))
}
