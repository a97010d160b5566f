//! Inverses of a column in place. halo2curves' own are on one thread, whatever there is.

use ark_ff::batch_inversion;
use halo2curves::ff::BatchInvert;
use zkaccel::Buffer;
use zkaccel_measure::Effort;

use super::{Rows, each, power};
use crate::{
    inputs,
    machine::Machine,
    turns::{Contender, Measured, measure},
    twin,
};

const LOGS: &[u32] = &[12, 16, 20];

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    effort.logs(LOGS).iter().map(|&k| row(machine, effort, k)).collect()
}

fn row(machine: &Machine, effort: &Effort, k: u32) -> Result<Measured, Box<dyn std::error::Error>> {
    let n = 1 << k;
    let column = inputs::scalars(n);
    let mut in_halo2curves = column.clone();
    in_halo2curves.iter_mut().batch_invert();
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let mut buffer = Buffer::of(&ours.context, &column)?;
        ours.context.at_once().invert(&mut buffer, ..)?;
        assert!(buffer.to_vec()? == in_halo2curves);
        contenders.push(Contender::new(ours.name, move || {
            ours.context.at_once().invert(&mut buffer, ..).expect("it worked before");
        }));
    }
    let mut in_arkworks = twin::scalars(&column);
    batch_inversion(&mut in_arkworks);
    assert!(in_arkworks.iter().map(twin::back).eq(in_halo2curves.iter().copied()));
    contenders.push(Contender::new("halo2curves", move || {
        in_halo2curves.iter_mut().batch_invert();
    }));
    contenders.push(Contender::new("arkworks", move || batch_inversion(&mut in_arkworks)));
    Ok(measure(machine, effort, ("batch inversion", power(k), each(n, 3)), contenders))
}
