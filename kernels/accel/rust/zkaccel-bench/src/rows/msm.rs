//! Multi-scalar multiplication over bn256 with scalars of any size. Ours has prepared its bases, without precomputed
//! multiples, and the scalars are in its buffer.

use ark_ec::VariableBaseMSM;
use halo2curves::{group::Curve, msm::msm_best};
use zkaccel::{Bases, BasesOptions, Buffer};
use zkaccel_measure::{Effort, multiplications_of_msm};

use super::{Rows, power};
use crate::{
    inputs,
    machine::Machine,
    turns::{Contender, Measured, measure},
    twin,
};

const LOGS: &[u32] = &[12, 14, 16, 18, 20];

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    effort.logs(LOGS).iter().map(|&k| row(machine, effort, k)).collect()
}

fn row(machine: &Machine, effort: &Effort, k: u32) -> Result<Measured, Box<dyn std::error::Error>> {
    let n = 1 << k;
    let (points, scalars) = (inputs::points(n), inputs::scalars(n));
    let expected = msm_best(&scalars, &points).to_affine();
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let bases = Bases::new(&ours.context, &points, BasesOptions::default())?;
        let scalars = Buffer::of(&ours.context, &scalars)?;
        assert_eq!(bases.msm(&scalars)?.to_affine(), expected);
        contenders.push(Contender::new(ours.name, move || {
            bases.msm(&scalars).expect("it worked before");
        }));
    }
    let twin_points: Vec<_> = points.iter().map(twin::point).collect();
    let twin_scalars = twin::scalars(&scalars);
    let theirs = ark_bn254::G1Projective::msm_unchecked(&twin_points, &twin_scalars);
    assert_eq!(twin::limbs(theirs), Some((expected.x.0, expected.y.0)));
    contenders.push(Contender::new("halo2curves", || {
        std::hint::black_box(msm_best(&scalars, &points));
    }));
    contenders.push(Contender::new("arkworks", move || {
        let _sum = std::hint::black_box(ark_bn254::G1Projective::msm_unchecked(&twin_points, &twin_scalars));
    }));
    let what = ("multi-scalar multiplication", power(k), multiplications_of_msm(n));
    Ok(measure(machine, effort, what, contenders))
}
