//! Ten thousand random circuits. `ELASTIC_PLONK_SEED` repeats those from one seed on.

use std::{
    env,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use rand_core::{OsRng, RngCore};

use crate::support::random::check;

const CIRCUITS: u64 = 10_000;
const THREADS: usize = 2;

#[test]
fn verifier_and_mock_prover_agree_on_ten_thousand_random_circuits() {
    let given = env::var("ELASTIC_PLONK_SEED").ok().map(|seed| seed.parse().expect("a number"));
    let first: u64 = given.unwrap_or_else(|| u64::from(OsRng.next_u32()) << 16);
    println!("ELASTIC_PLONK_SEED={first}");
    let next = AtomicU64::new(first);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + CIRCUITS {
                        break;
                    }
                    check(seed);
                }
            });
        }
    });
}
