//! Multi-scalar multiplication over bn256, any scalars. All have their points on the GPU, as provers do, and none has
//! precomputed multiples; the scalars are there, or come from the host each time.

use std::error::Error;

use halo2curves_axiom::{
    bn256::{Fr, G1Affine},
    group::Curve,
};
use zkaccel::{Bases, BasesOptions, Buffer, Context};
use zkaccel_measure::{Effort, multiplications_of_msm};

use super::{LOGS, Rows, power};
use crate::{
    contenders::{Contenders, ON_CPU, OURS},
    inputs::Inputs,
    machine::Machine,
    peers::{HALO2, SPPARK, halo2, sppark},
};

const RESIDENT: &str = "multi-scalar multiplication";
const WITH_TRANSFERS: &str = "multi-scalar multiplication, scalars from the host";

pub(crate) fn rows(machine: &Machine, inputs: &Inputs, effort: &Effort) -> Rows {
    for &k in effort.logs(LOGS) {
        let (points, scalars) = (&inputs.points[..1 << k], &inputs.scalars[..1 << k]);
        let (cpu_bases, cpu_scalars) = on(&machine.cpu, points, scalars)?;
        let expected = cpu_bases.msm(&cpu_scalars)?.to_affine();

        let mut row = Contenders::new(RESIDENT, &power(k));
        ours(&mut row, machine, points, scalars, expected)?;
        row.peer(SPPARK, sppark::Multiplication::new(points, scalars, true, expected));
        row.peer(HALO2, halo2::Multiplication::new(points, scalars, true, expected));
        row.ours(ON_CPU, true, || {
            cpu_bases.msm(&cpu_scalars).expect("it worked before");
        })?;
        row.measure(effort, RESIDENT, power(k), multiplications_of_msm(1 << k))?;

        let mut row = Contenders::new(WITH_TRANSFERS, &power(k));
        ours_with_transfers(&mut row, machine, points, scalars, expected)?;
        row.peer(SPPARK, sppark::Multiplication::new(points, scalars, false, expected));
        row.peer(HALO2, halo2::Multiplication::new(points, scalars, false, expected));
        row.measure(effort, WITH_TRANSFERS, power(k), 0.0)?;
    }
    Ok(())
}

fn on(
    context: &Context,
    points: &[G1Affine],
    scalars: &[Fr],
) -> zkaccel::Result<(Bases<G1Affine>, Buffer<Fr>)> {
    let bases = Bases::new(context, points, BasesOptions { check: false, ..BasesOptions::default() })?;
    Ok((bases, Buffer::of(context, scalars)?))
}

fn ours<'a>(
    row: &mut Contenders<'a>,
    machine: &Machine,
    points: &[G1Affine],
    scalars: &[Fr],
    expected: G1Affine,
) -> Result<(), Box<dyn Error>> {
    let (bases, scalars) = on(&machine.gpu, points, scalars)?;
    let same = bases.msm(&scalars)?.to_affine() == expected;
    row.ours(OURS, same, move || {
        bases.msm(&scalars).expect("it worked before");
    })
}

fn ours_with_transfers<'a>(
    row: &mut Contenders<'a>,
    machine: &'a Machine,
    points: &[G1Affine],
    scalars: &'a [Fr],
    expected: G1Affine,
) -> Result<(), Box<dyn Error>> {
    let (bases, mut buffer) = on(&machine.gpu, points, scalars)?;
    let mut run = move || {
        machine.gpu.at_once().write(&mut buffer, 0, scalars)?;
        bases.msm(&buffer)
    };
    let same = run()?.to_affine() == expected;
    row.ours(OURS, same, move || {
        run().expect("it worked before");
    })
}
