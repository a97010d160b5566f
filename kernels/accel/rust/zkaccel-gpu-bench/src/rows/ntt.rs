//! Transforms in place, forward, natural order: of a column on the GPU, or of one that comes from the host and goes back.

use std::error::Error;

use halo2curves_axiom::{
    bn256::Fr,
    ff::{Field, PrimeField},
};
use zkaccel::{Buffer, Context, Domain, Transform};
use zkaccel_measure::Effort;

use super::{LOGS, Rows, each, power};
use crate::{
    contenders::{Contenders, ON_CPU, OURS},
    inputs::Inputs,
    machine::Machine,
    peers::{HALO2, SPPARK, halo2, sppark},
};

const RESIDENT: &str = "number theoretic transform";
const WITH_TRANSFERS: &str = "number theoretic transform, from the host and back";

pub(crate) fn rows(machine: &Machine, inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS) {
        let (n, column) = (1 << k, &inputs.scalars[..1 << k]);
        let (cpu_domain, mut cpu_column) = on(&machine.cpu, column)?;
        let mut expected = vec![Fr::ZERO; n];
        machine.cpu.at_once().ntt(&cpu_domain, &mut [&mut cpu_column], Transform::FORWARD)?;
        machine.cpu.at_once().read(&cpu_column, 0, &mut expected)?;
        let omega = Fr::ROOT_OF_UNITY.pow([1 << (Fr::S - k)]);
        let sppark_is_same = sppark::transforms_as(&machine.cpu, column);

        let mut row = Contenders::new(RESIDENT, &power(k));
        ours(&mut row, machine, column, &expected)?;
        let same = sppark_is_same.clone();
        row.peer(SPPARK, same.and_then(|same| sppark::ResidentTransform::new(column, same)));
        row.peer(HALO2, halo2::ResidentTransform::new(column, omega, &expected));
        row.ours(ON_CPU, true, || {
            let columns = &mut [&mut cpu_column];
            machine.cpu.at_once().ntt(&cpu_domain, columns, Transform::FORWARD).expect("it worked before");
        })?;
        row.measure(effort, RESIDENT, power(k), each(n / 2, k as usize))?;

        let mut row = Contenders::new(WITH_TRANSFERS, &power(k));
        ours_with_transfers(&mut row, machine, column, &expected)?;
        row.peer(SPPARK, sppark_is_same.and_then(|same| sppark::TransformWithTransfers::new(column, same)));
        row.peer(HALO2, halo2::TransformWithTransfers::new(column, omega, &expected));
        row.measure(effort, WITH_TRANSFERS, power(k), 0.0)?;
    }
    Ok(())
}

fn on(context: &Context, column: &[Fr]) -> zkaccel::Result<(Domain, Buffer<Fr>)> {
    let k = column.len().ilog2();
    Ok((Domain::new(context, k, k)?, Buffer::of(context, column)?))
}

fn ours<'a>(
    row: &mut Contenders<'a>,
    machine: &'a Machine,
    column: &[Fr],
    expected: &[Fr],
) -> Result<(), Box<dyn Error>> {
    let (domain, mut buffer) = on(&machine.gpu, column)?;
    machine.gpu.at_once().ntt(&domain, &mut [&mut buffer], Transform::FORWARD)?;
    let same = buffer.to_vec()? == expected;
    row.ours(OURS, same, move || {
        let columns = &mut [&mut buffer];
        machine.gpu.at_once().ntt(&domain, columns, Transform::FORWARD).expect("it worked before");
    })
}

fn ours_with_transfers<'a>(
    row: &mut Contenders<'a>,
    machine: &'a Machine,
    column: &[Fr],
    expected: &[Fr],
) -> Result<(), Box<dyn Error>> {
    let (domain, mut buffer) = on(&machine.gpu, column)?;
    let mut host = column.to_vec();
    let run = move |host: &mut [Fr], buffer: &mut Buffer<Fr>| -> zkaccel::Result<()> {
        machine.gpu.at_once().write(buffer, 0, host)?;
        machine.gpu.at_once().ntt(&domain, &mut [&mut *buffer], Transform::FORWARD)?;
        machine.gpu.at_once().read(buffer, 0, host)
    };
    run(&mut host, &mut buffer)?;
    let same = host == expected;
    row.ours(OURS, same, move || run(&mut host, &mut buffer).expect("it worked before"))
}
