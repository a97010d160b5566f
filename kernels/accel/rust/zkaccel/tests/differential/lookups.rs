//! A' and S' beside halo2's sequential algorithm, which its crates keep to themselves: sort A; each first row of a run
//! takes its value from the table; what is left of the table goes, ascending, to the other rows from the last one
//! backwards. [halo2's plonk/lookup/prover.rs, `permute_expression_pair`]

use std::collections::BTreeMap;

use halo2curves::{bn256::Fr, ff::Field};
use rand_core::RngCore;
use zkaccel::{Buffer, PermuteOrder, Status};

use crate::contexts::{for_each_isa, random};

const SIZES: [usize; 12] = [1, 2, 3, 7, 31, 32, 33, 255, 1000, 1023, 1024, 1025];

/// A' and S' as halo2 makes them. None where the table lacks a value.
fn permuted(a: &[Fr], s: &[Fr]) -> Option<(Vec<Fr>, Vec<Fr>)> {
    let mut inputs = a.to_vec();
    inputs.sort_unstable();
    let mut left = BTreeMap::<Fr, usize>::new();
    s.iter().for_each(|&value| *left.entry(value).or_default() += 1);
    let mut table = vec![Fr::ZERO; a.len()];
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

/// Tables: few values, values of 20 bits, any, one value alone, and such as differ in their highest bits only.
fn tables(random: &mut impl RngCore, n: usize) -> Vec<Vec<Fr>> {
    let mut all =
        |make: &mut dyn FnMut(&mut dyn RngCore) -> Fr| (0..n).map(|_| make(random)).collect::<Vec<_>>();
    let high = Fr::from(2).pow_vartime([250]);
    vec![
        all(&mut |random| Fr::from(random.next_u64() % 5)),
        all(&mut |random| Fr::from(random.next_u64() >> 44)),
        all(&mut |random| Fr::random(random)),
        all(&mut |_| -Fr::ONE),
        all(&mut |random| high * Fr::from(random.next_u64() % 8)),
    ]
}

#[test]
fn permuted_columns_are_byte_for_byte_those_of_halo2() {
    let random = &mut random();
    for n in SIZES {
        for s in tables(random, n) {
            let few: Vec<_> = (0..n).map(|i| s[i * i % n]).collect();
            let any: Vec<_> = (0..n).map(|_| s[random.next_u64() as usize % n]).collect();
            let same: Vec<_> = s.iter().rev().copied().collect();
            for a in [few, any, same] {
                let (inputs, table) = permuted(&a, &s).unwrap();
                for_each_isa(|context| {
                    let of = |column| Buffer::of(context, column).unwrap();
                    let (mut a_out, mut s_out) = (of(&a), of(&s));
                    let queue = context.at_once();
                    let (a, s) = (of(&a), of(&s));
                    queue.permute(&a, &s, n, PermuteOrder::FirstMeets, &mut a_out, &mut s_out).unwrap();
                    assert!(
                        (a_out.to_vec().unwrap(), s_out.to_vec().unwrap()) == (inputs.clone(), table.clone()),
                        "{n}"
                    );
                    queue.permute(&a, &s, n, PermuteOrder::LastMeets, &mut a_out, &mut s_out).unwrap();
                    let backwards =
                        |column: &Buffer<Fr>| column.to_vec().unwrap().into_iter().rev().collect::<Vec<_>>();
                    assert!((backwards(&a_out), backwards(&s_out)) == (inputs.clone(), table.clone()), "{n}");
                });
            }
        }
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
