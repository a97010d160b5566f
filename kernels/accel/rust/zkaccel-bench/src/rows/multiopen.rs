//! What a multi-point opening takes: a fold of polynomials, a division by a root, values at points. The peer is halo2's
//! own arithmetic, over halo2curves' elements.

use ark_poly::{DenseUVPolynomial, Polynomial, univariate::DensePolynomial};
use halo2_axiom::{
    arithmetic::{eval_polynomial, kate_division, powers},
    poly::EvaluationDomain,
};
use halo2curves::bn256::Fr;
use zkaccel::Buffer;
use zkaccel_measure::Effort;

use super::{Rows, each, power};
use crate::{
    inputs,
    machine::Machine,
    turns::{Contender, Measured, measure},
    twin,
};

const LOGS: &[u32] = &[14, 18, 20];
/// Polynomials of a fold.
const POLYS: usize = 8;

type Row = Result<Measured, Box<dyn std::error::Error>>;

pub(crate) fn rows(machine: &Machine, effort: &Effort) -> Rows {
    let of_size =
        |&k: &u32| [fold(machine, effort, k), division(machine, effort, k), evaluation(machine, effort, k)];
    effort.logs(LOGS).iter().flat_map(of_size).collect()
}

fn fold(machine: &Machine, effort: &Effort, k: u32) -> Row {
    let n = 1 << k;
    let all = inputs::scalars(POLYS * n + 1);
    let (polys, factor) = (all.chunks_exact(n).collect::<Vec<_>>(), all[POLYS * n]);
    let domain = EvaluationDomain::<Fr>::new(2, k);
    let theirs: Vec<_> = polys.iter().map(|poly| domain.coeff_from_vec(poly.to_vec())).collect();
    let halo2 = move || {
        let scaled = theirs.iter().zip(powers(factor)).map(|(poly, power)| poly.clone() * power);
        scaled.reduce(|sum, poly| sum + &poly).expect("there are polynomials")
    };
    let expected = halo2();
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let buffers =
            polys.iter().map(|poly| Buffer::of(&ours.context, poly)).collect::<Result<Vec<_>, _>>()?;
        let mut out = Buffer::new(&ours.context, n)?;
        ours.context.at_once().fold(&buffers.iter().collect::<Vec<_>>(), factor, None, &mut out)?;
        assert!(out.to_vec()? == expected.values());
        contenders.push(Contender::new(ours.name, move || {
            let polys: Vec<_> = buffers.iter().collect();
            ours.context.at_once().fold(&polys, factor, None, &mut out).expect("it worked before");
        }));
    }
    contenders.push(Contender::new("halo2-axiom", move || drop(std::hint::black_box(halo2()))));
    let what = ("multiopen: fold of eight polynomials", power(k), each(n, POLYS));
    Ok(measure(machine, effort, what, contenders))
}

fn division(machine: &Machine, effort: &Effort, k: u32) -> Row {
    let n = 1 << k;
    let all = inputs::scalars(n + 1);
    let (poly, root) = (&all[..n], all[n]);
    let mut expected = kate_division(poly, root);
    expected.push(Fr::zero());
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let mut buffer = Buffer::of(&ours.context, poly)?;
        ours.context.at_once().divide(&mut buffer, n, &[root], &mut [Fr::zero()])?;
        assert!(buffer.to_vec()? == expected);
        contenders.push(Contender::new(ours.name, move || {
            let remainders = &mut [Fr::zero()];
            ours.context.at_once().divide(&mut buffer, n, &[root], remainders).expect("it worked before");
        }));
    }
    contenders.push(Contender::new("halo2-axiom", || drop(std::hint::black_box(kate_division(poly, root)))));
    Ok(measure(machine, effort, ("multiopen: division by a root", power(k), each(n, 1)), contenders))
}

fn evaluation(machine: &Machine, effort: &Effort, k: u32) -> Row {
    let n = 1 << k;
    let all = inputs::scalars(n + 1);
    let (poly, point) = (&all[..n], all[n]);
    let expected = eval_polynomial(poly, point);
    let mut contenders = Vec::new();
    for ours in &machine.ours {
        let buffer = Buffer::of(&ours.context, poly)?;
        assert_eq!(buffer.evaluate(point)?, expected);
        contenders.push(Contender::new(ours.name, move || {
            buffer.evaluate(point).expect("it worked before");
        }));
    }
    contenders.push(Contender::new("halo2-axiom", || {
        std::hint::black_box(eval_polynomial(poly, point));
    }));
    let theirs = DensePolynomial::from_coefficients_vec(twin::scalars(poly));
    let at = twin::scalar(&point);
    assert_eq!(twin::back(&theirs.evaluate(&at)), expected);
    contenders.push(Contender::new("arkworks", move || {
        std::hint::black_box(theirs.evaluate(&at));
    }));
    Ok(measure(machine, effort, ("multiopen: value at a point", power(k), each(n, 1)), contenders))
}
