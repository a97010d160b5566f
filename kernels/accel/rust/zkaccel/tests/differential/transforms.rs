//! Transforms compared with halo2curves, arkworks and halo2.

use ark_ff::FftField;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use halo2_axiom::poly::EvaluationDomain as Halo2Domain;
use halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
    fft::best_fft,
};
use halo2curves_axiom::bn256::Fr as AxiomFr;
use rand_core::RngCore;
use zkaccel::{Buffer, Context, Direction, Domain, Order, Transform};

use crate::{
    contexts::{for_each_isa, random},
    twins::TwinElement,
};

const LOGS: [u32; 12] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 11, 13, 15];

fn columns(random: &mut impl RngCore, n: usize) -> Vec<Vec<Fr>> {
    let any = (0..n).map(|_| Fr::random(&mut *random)).collect();
    let mut last = vec![Fr::ZERO; n];
    last[n - 1] = -Fr::ONE;
    vec![any, vec![Fr::ZERO; n], vec![-Fr::ONE; n], last]
}

fn transformed(context: &Context, domain: &Domain, column: &[Fr], transform: Transform) -> Vec<Fr> {
    let mut buffer = Buffer::of(context, column).unwrap();
    context.at_once().ntt(domain, &mut [&mut buffer], transform).unwrap();
    buffer.to_vec().unwrap()
}

#[test]
fn transforms_are_those_of_halo2curves() {
    let random = &mut random();
    for k in LOGS {
        let omega = Fr::ROOT_OF_UNITY.pow_vartime([1 << (Fr::S - k)]);
        for column in columns(random, 1 << k) {
            let mut expected = column.clone();
            best_fft(&mut expected, omega, k);
            for_each_isa(|context| {
                let domain = Domain::new(context, k, k).unwrap();
                assert!(transformed(context, &domain, &column, Transform::FORWARD) == expected, "2^{k}");
                assert!(transformed(context, &domain, &expected, Transform::INVERSE) == column, "2^{k}");
            });
        }
    }
}

#[test]
fn transforms_on_cosets_with_arkworks_root_are_those_of_arkworks() {
    let random = &mut random();
    for k in LOGS {
        let theirs = Radix2EvaluationDomain::<ark_bn254::Fr>::new(1 << k).unwrap();
        let offset = ark_bn254::Fr::GENERATOR;
        let coset = theirs.get_coset(offset).unwrap();
        for column in columns(random, 1 << k) {
            let twins: Vec<_> = column.iter().map(|element| element.twin()).collect();
            let expected: Vec<_> = theirs.fft(&twins).into_iter().map(Fr::of).collect();
            let on_coset: Vec<_> = coset.fft(&twins).into_iter().map(Fr::of).collect();
            for_each_isa(|context| {
                let (omega, offset) = (Fr::of(theirs.group_gen), Fr::of(offset));
                let domain = Domain::with_roots(context, k, k, omega, offset).unwrap();
                assert!(transformed(context, &domain, &column, Transform::FORWARD) == expected, "2^{k}");
                assert!(
                    transformed(context, &domain, &column, Transform::FORWARD.on_coset()) == on_coset,
                    "2^{k}"
                );
                assert!(
                    transformed(context, &domain, &on_coset, Transform::INVERSE.on_coset()) == column,
                    "2^{k}"
                );
            });
        }
    }
}

#[test]
fn reversed_orders_are_the_natural_one_by_reversed_bits() {
    let random = &mut random();
    for k in LOGS {
        let column = columns(random, 1 << k).swap_remove(0);
        let reversed = |values: &[Fr]| -> Vec<_> {
            let bits = |i: usize| if k == 0 { i } else { i.reverse_bits() >> (usize::BITS - k) };
            (0..values.len()).map(|i| values[bits(i)]).collect()
        };
        for_each_isa(|context| {
            let domain = Domain::new(context, k, k).unwrap();
            for direction in [Direction::Forward, Direction::Inverse] {
                let with = |order| Transform { direction, order, on_coset: false };
                let natural = transformed(context, &domain, &column, with(Order::Natural));
                let to = transformed(context, &domain, &column, with(Order::ToReversed));
                let from = transformed(context, &domain, &reversed(&column), with(Order::FromReversed));
                assert!(to == reversed(&natural) && from == natural, "2^{k}");
            }
        });
    }
}

#[test]
fn extended_domains_are_those_of_halo2() {
    let random = &mut random();
    for (k, degree) in [(1, 3), (3, 4), (5, 6), (8, 5), (10, 9)] {
        let theirs = Halo2Domain::<AxiomFr>::new(degree, k);
        let coefficients: Vec<_> = (0..1 << k).map(|_| AxiomFr::random(&mut *random)).collect();
        let extended = theirs.coeff_to_extended(&theirs.coeff_from_vec(coefficients.clone()));
        let divided = theirs.divide_by_vanishing_poly(extended.clone());
        let back = theirs.extended_to_coeff(divided.clone());
        for_each_isa(|context| {
            let (omega, coset) = (theirs.get_extended_omega(), theirs.g_coset);
            let ours = Domain::with_roots(context, k, theirs.extended_k(), omega, coset).unwrap();
            let from = Buffer::of(context, &coefficients).unwrap();
            let mut to = Buffer::new(context, theirs.extended_len()).unwrap();
            let queue = context.at_once();
            queue.coeff_to_extended(&ours, &from, &mut to).unwrap();
            assert!(to.to_vec().unwrap() == extended.values(), "2^{k}");
            queue.divide_by_vanishing(&ours, &mut to).unwrap();
            assert!(to.to_vec().unwrap() == divided.values(), "2^{k}");
            queue.extended_to_coeff(&ours, &mut to).unwrap();
            assert!(to.to_vec().unwrap()[..back.len()] == back, "2^{k}");
        });
    }
}
