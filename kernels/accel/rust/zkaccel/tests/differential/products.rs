//! Inverses and running products, compared with halo2curves and arkworks, and element by element.

use ark_ff::batch_inversion;
use halo2curves::{
    bn256::{Fq, Fr},
    ff::{BatchInvert, Field},
};
use rand_core::RngCore;
use zkaccel::{Buffer, Context, VectorOp};

use crate::{
    contexts::{for_each_isa, random},
    twins::TwinElement,
};

/// An operation on two elements, as halo2curves has it.
type Plain = fn(Fr, Fr) -> Fr;

const SIZES: [usize; 13] = [0, 1, 2, 3, 31, 32, 33, 63, 65, 1023, 1024, 1025, 5000];

/// Numbers of which some are 0: none, each third, the first and last, all.
fn kinds<F: Field>(random: &mut impl RngCore, n: usize) -> Vec<Vec<F>> {
    let any: Vec<_> = (0..n).map(|_| F::random(&mut *random)).collect();
    let zero_where = |is_zero: &dyn Fn(usize) -> bool| {
        any.iter().enumerate().map(|(i, &x)| if is_zero(i) { F::ZERO } else { x }).collect()
    };
    vec![
        any.clone(),
        zero_where(&|i| i % 3 == 0),
        zero_where(&|i| i == 0 || i + 1 == n),
        zero_where(&|_| true),
        vec![-F::ONE; n],
    ]
}

fn compare_inverses<F: TwinElement>(context: &Context) {
    let random = &mut random();
    for n in SIZES {
        for numbers in kinds::<F>(random, n) {
            let mut expected = numbers.clone();
            expected.iter_mut().batch_invert();
            let mut twins: Vec<_> = numbers.iter().map(|number| number.twin()).collect();
            batch_inversion(&mut twins);
            assert!(twins.into_iter().map(F::of).eq(expected.iter().copied()), "{n}");
            let mut buffer = Buffer::of(context, &numbers).unwrap();
            context.at_once().invert(&mut buffer, ..).unwrap();
            assert!(buffer.to_vec().unwrap() == expected, "{n}");
        }
    }
}

#[test]
fn inverses_are_those_of_halo2curves_and_of_arkworks() {
    for_each_isa(|context| {
        compare_inverses::<Fr>(context);
        compare_inverses::<Fq>(context);
    });
}

#[test]
fn a_grand_product_is_the_running_product_of_the_fractions() {
    let random = &mut random();
    for n in SIZES {
        for (num, den) in kinds::<Fr>(random, n).into_iter().zip(kinds::<Fr>(random, n).into_iter().rev()) {
            let start = Fr::random(&mut *random);
            let mut inverses = den.clone();
            inverses.iter_mut().batch_invert();
            let mut expected = vec![start];
            expected.extend(num.iter().zip(inverses).scan(start, |product, (num, inverse)| {
                *product *= num * inverse;
                Some(*product)
            }));
            for_each_isa(|context| {
                let of = |numbers| Buffer::of(context, numbers).unwrap();
                let mut z = Buffer::new(context, n + 1).unwrap();
                context.at_once().grand_product(&of(&num), &of(&den), start, n, &mut z).unwrap();
                assert!(z.to_vec().unwrap() == expected, "{n}");
            });
        }
    }
}

#[test]
fn element_wise_operations_are_those_of_halo2curves() {
    let random = &mut random();
    for n in SIZES {
        for (a, b) in kinds::<Fr>(random, n).into_iter().zip(kinds::<Fr>(random, n)) {
            let factor = Fr::random(&mut *random);
            let each =
                |op: &dyn Fn(Fr, Fr) -> Fr| a.iter().zip(&b).map(|(&a, &b)| op(a, b)).collect::<Vec<_>>();
            let powers: Vec<_> =
                std::iter::successors(Some(factor), |power| Some(power * factor)).take(n).collect();
            for_each_isa(|context| {
                let queue = context.at_once();
                let of = |numbers| Buffer::of(context, numbers).unwrap();
                let mut out = Buffer::new(context, n).unwrap();
                let operations: [(VectorOp, Plain); 3] = [
                    (VectorOp::Add, |a, b| a + b),
                    (VectorOp::Sub, |a, b| a - b),
                    (VectorOp::Mul, |a, b| a * b),
                ];
                for (op, plain) in operations {
                    queue.apply(op, &of(&a), &of(&b), &mut out).unwrap();
                    assert!(out.to_vec().unwrap() == each(&plain), "{op:?} {n}");
                    let mut to = of(&a);
                    queue.apply_to(op, &mut to, &of(&b)).unwrap();
                    assert!(to.to_vec().unwrap() == each(&plain), "{op:?} {n}");
                }
                queue.scale_add(factor, &of(&a), Some(&of(&b)), &mut out).unwrap();
                assert!(out.to_vec().unwrap() == each(&|a, b| factor * a + b), "{n}");
                let mut to = of(&a);
                queue.scale_add_to(factor, &mut to, None).unwrap();
                assert!(to.to_vec().unwrap() == each(&|a, _| factor * a), "{n}");
                queue.powers(factor, factor, &mut out).unwrap();
                assert!(out.to_vec().unwrap() == powers, "{n}");
            });
        }
    }
}
