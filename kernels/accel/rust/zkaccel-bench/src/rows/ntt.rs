//! Transforms in place, forward, natural order. Ours is of a column in its buffer, and has its twiddles, as halo2-axiom
//! and arkworks have theirs; halo2curves makes them in each call, as its users have it do.

use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use halo2_axiom::{arithmetic::best_fft as halo2_fft, poly::EvaluationDomain as Halo2Domain};
use halo2curves::{bn256::Fr, fft::best_fft};
use zkaccel::{Buffer, Domain, Transform};
use zkaccel_measure::Effort;

use super::{Rows, each, power};
use crate::{
    inputs,
    machine::Machine,
    turns::{Contender, Measured, measure},
    twin,
};

const LOGS: &[u32] = &[12, 14, 16, 18, 20, 22];

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    effort.logs(LOGS).iter().map(|&k| row(machine, effort, k)).collect()
}

fn row(machine: &Machine, effort: &Effort, k: u32) -> Result<Measured, Box<dyn std::error::Error>> {
    let n = 1 << k;
    let column = inputs::scalars(n);
    let halo2 = Halo2Domain::<Fr>::new(2, k);
    let omega = halo2.get_omega();
    let mut expected = column.clone();
    best_fft(&mut expected, omega, k);
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let domain = Domain::new(&ours.context, k, k)?;
        let mut buffer = Buffer::of(&ours.context, &column)?;
        ours.context.at_once().ntt(&domain, &mut [&mut buffer], Transform::FORWARD)?;
        assert!(buffer.to_vec()? == expected);
        contenders.push(Contender::new(ours.name, move || {
            let columns = &mut [&mut buffer];
            ours.context.at_once().ntt(&domain, columns, Transform::FORWARD).expect("it worked before");
        }));
    }
    let mut in_halo2curves = column.clone();
    contenders.push(Contender::new("halo2curves", move || best_fft(&mut in_halo2curves, omega, k)));
    let mut in_halo2 = column.clone();
    let data = halo2.get_fft_data(n);
    halo2_fft(&mut in_halo2, omega, k, data, false);
    assert!(in_halo2 == expected);
    contenders.push(Contender::new("halo2-axiom", move || halo2_fft(&mut in_halo2, omega, k, data, false)));
    contenders.push(arkworks(k, &column, omega, &expected));
    let what = ("number theoretic transform", power(k), each(n / 2, k as usize));
    Ok(measure(machine, effort, what, contenders))
}

/// With arkworks' own root, whose transforms are others; with ours, it computes what all do.
fn arkworks<'a>(k: u32, column: &[Fr], omega: Fr, expected: &[Fr]) -> Contender<'a> {
    let own = Radix2EvaluationDomain::<ark_bn254::Fr>::new(1 << k).expect("the field has such roots");
    let with_our_root = Radix2EvaluationDomain {
        group_gen: twin::scalar(&omega),
        group_gen_inv: ark_ff::Field::inverse(&twin::scalar(&omega)).expect("a root of unity"),
        ..own
    };
    let mut column = twin::scalars(column);
    with_our_root.fft_in_place(&mut column);
    assert!(column.iter().map(twin::back).eq(expected.iter().copied()));
    Contender::new("arkworks", move || own.fft_in_place(&mut column))
}
