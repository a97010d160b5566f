//! A' and S' compared with halo2's sequential algorithm, which its crates do not export: sort A; each first row of a run
//! takes its value from the table; what is left of the table goes, ascending, to the other rows from the last one
//! backwards. [halo2's plonk/lookup/prover.rs, `permute_expression_pair`; halo2-axiom has it next to one in parallel, whose
//! order is that of a hash map and another one in each run]

use std::collections::BTreeMap;

use halo2curves::{
    bn256::{Fq, Fr},
    ff::{Field, PrimeField},
};
use rand_core::RngCore;
use zkaccel::{Buffer, Element, PermuteOrder, Status};

use crate::contexts::{for_each_isa, random};

const SIZES: [usize; 12] = [1, 2, 3, 7, 31, 32, 33, 255, 1000, 1023, 1024, 1025];

/// A' and S' as halo2 makes them. None where the table lacks a value.
fn permuted<F: Field + Ord>(a: &[F], s: &[F]) -> Option<(Vec<F>, Vec<F>)> {
    let mut inputs = a.to_vec();
    inputs.sort_unstable();
    let mut left = BTreeMap::<F, usize>::new();
    s.iter().for_each(|&value| *left.entry(value).or_default() += 1);
    let mut table = vec![F::ZERO; a.len()];
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

/// Tables: few values, values of 20 bits, any, one value alone, such as differ in their highest bits only, such as are
/// next to the ends of 64-bit words and of the field, and one value in every other row, the others all different.
fn tables<F: PrimeField>(random: &mut impl RngCore, n: usize) -> Vec<Vec<F>> {
    let mut all =
        |make: &mut dyn FnMut(&mut dyn RngCore) -> F| (0..n).map(|_| make(random)).collect::<Vec<_>>();
    let two_to = |bit| F::from(2).pow_vartime([bit]);
    let mut other = 0;
    vec![
        all(&mut |random| F::from(random.next_u64() % 5)),
        all(&mut |random| F::from(random.next_u64() >> 44)),
        all(&mut |random| F::random(random)),
        all(&mut |_| -F::ONE),
        all(&mut |random| two_to(250) * F::from(random.next_u64() % 8)),
        all(&mut |random| {
            let word = random.next_u64() % 4;
            let end = if word == 0 { F::ZERO } else { two_to(64 * word) };
            end + F::from(random.next_u64() % 3) - F::ONE
        }),
        all(&mut |random| {
            other += 1;
            if other % 2 == 0 { F::from(1 << 40) } else { F::random(random) }
        }),
    ]
}

/// Inputs of a table: few of its values, any, all in the opposite order, one alone, and one alone but for the last row.
fn inputs<F: Copy>(random: &mut impl RngCore, s: &[F]) -> [Vec<F>; 5] {
    let n = s.len();
    let one = vec![s[n / 2]; n];
    let mut all_but_one = one.clone();
    all_but_one[n - 1] = s[0];
    [
        (0..n).map(|i| s[i * i % n]).collect(),
        (0..n).map(|_| s[random.next_u64() as usize % n]).collect(),
        s.iter().rev().copied().collect(),
        one,
        all_but_one,
    ]
}

/// In both orders and with every set of instructions.
fn check_pair<F: Element + Field + Ord>(a: &[F], s: &[F]) {
    let n = a.len();
    let expected = permuted(a, s).unwrap();
    for_each_isa(|context| {
        let of = |column| Buffer::of(context, column).unwrap();
        let (mut a_out, mut s_out) = (of(a), of(s));
        let queue = context.at_once();
        let (a, s) = (of(a), of(s));
        queue.permute(&a, &s, n, PermuteOrder::FirstMeets, &mut a_out, &mut s_out).unwrap();
        assert!((a_out.to_vec().unwrap(), s_out.to_vec().unwrap()) == expected, "{n}");
        queue.permute(&a, &s, n, PermuteOrder::LastMeets, &mut a_out, &mut s_out).unwrap();
        let backwards = |column: &Buffer<F>| column.to_vec().unwrap().into_iter().rev().collect::<Vec<_>>();
        assert!((backwards(&a_out), backwards(&s_out)) == expected, "{n}");
    });
}

fn check_sizes<F: Element + PrimeField + Ord>() {
    let random = &mut random();
    for n in SIZES {
        for s in tables::<F>(random, n) {
            for a in inputs(random, &s) {
                check_pair(&a, &s);
            }
        }
    }
}

#[test]
fn halo2s_algorithm_as_it_is_written_here_gives_what_it_gives_by_hand() {
    let column = |values: [u64; 6]| values.map(Fr::from).to_vec();
    let (a, s) = (column([9, 5, 5, 9, 5, 5]), column([9, 5, 1, 9, 2, 5]));
    assert!(permuted(&a, &s) == Some((column([5, 5, 5, 5, 9, 9]), column([5, 9, 5, 2, 9, 1]))));
    assert!(permuted(&column([9, 5, 5, 3, 5, 5]), &s).is_none());
}

#[test]
fn permuted_columns_are_byte_for_byte_those_of_halo2() {
    check_sizes::<Fr>();
    check_sizes::<Fq>();
}

#[test]
fn permuted_columns_that_several_threads_sort_are_byte_for_byte_those_of_halo2() {
    let random = &mut random();
    for s in tables::<Fr>(random, 9001) {
        let a: Vec<_> = (0..s.len()).map(|_| s[random.next_u64() as usize % s.len()]).collect();
        check_pair(&a, &s);
    }
}

#[test]
fn the_first_row_whose_value_the_table_lacks_is_told_and_rows_that_are_not_usable_do_not_matter() {
    let random = &mut random();
    for n in SIZES {
        let usable = n - n / 4;
        let s: Vec<_> = (0..n).map(|_| Fr::random(&mut *random)).collect();
        let mut a = s.clone();
        a[usable..].fill(Fr::ONE);
        assert!(permuted(&a[..usable], &s[..usable]).is_some());
        let bad = random.next_u64() as usize % usable;
        let mut lacking = a.clone();
        lacking[bad..usable].iter_mut().step_by(2).for_each(|value| *value += Fr::ONE);
        assert!(permuted(&lacking[..usable], &s[..usable]).is_none());
        for_each_isa(|context| {
            let of = |column| Buffer::of(context, column).unwrap();
            let (mut a_out, mut s_out) = (of(&a), of(&s));
            let queue = context.at_once();
            queue
                .permute(&of(&a), &of(&s), usable, PermuteOrder::FirstMeets, &mut a_out, &mut s_out)
                .unwrap();
            assert!(a_out.to_vec().unwrap()[usable..] == a[usable..]);
            for order in [PermuteOrder::FirstMeets, PermuteOrder::LastMeets] {
                let error =
                    queue.permute(&of(&lacking), &of(&s), usable, order, &mut a_out, &mut s_out).unwrap_err();
                assert_eq!((error.status(), error.bad_row()), (Status::NotInTable, Some(bad as u64)), "{n}");
            }
        });
    }
}
