//! What a computation takes does not grow with its steps.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use std::fs;
use std::sync::Mutex;

use common::{PARAMETERS, SAME, SECONDARY_Z_0, Square, Z_0};
use elastic_folding::prelude::bn256::IVC;

/// One measurement at a time: the peak is the process's.
static ALONE: Mutex<()> = Mutex::new(());

/// The most memory that the process has had, in KiB.
fn peak_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// The peak and the proof's length after `few` steps and after `many`.
fn measured(few: u64, many: u64) -> [(u64, usize); 2] {
    let mut ivc = IVC::new(&PARAMETERS, &Square::default(), Z_0, &*SAME, SECONDARY_Z_0, false).unwrap();
    let mut to = |steps: u64| {
        for witness in ivc.steps()..steps {
            ivc.fold_step(&PARAMETERS, &Square { witness, excess: 0 }, &*SAME).unwrap();
        }
        ivc.verify(&PARAMETERS).unwrap();
        let bytes = ivc.proof().to_bytes().len();
        (peak_kib(), bytes)
    };
    let measured = [to(few), to(many)];
    println!(
        "peak KiB and proof bytes after {few} steps: {:?}, after {many}: {:?}",
        measured[0], measured[1]
    );
    measured
}

fn assert_constant([(few_kib, few_bytes), (many_kib, many_bytes)]: [(u64, usize); 2], slack_kib: u64) {
    assert_eq!(few_bytes, many_bytes);
    assert!(many_kib <= few_kib + slack_kib, "{few_kib} KiB at first, then {many_kib} KiB");
}

#[test]
fn later_steps_take_no_more_memory_than_the_first() {
    let _alone = ALONE.lock().unwrap();
    // A primary vector kept from each step would be a third of a MiB, fifteen times.
    assert_constant(measured(5, 20), 4 * 1024);
}

#[test]
#[ignore = "long: a thousand steps, about two minutes on two idle cores"]
fn a_thousand_steps_take_no_more_memory_than_a_hundred() {
    let _alone = ALONE.lock().unwrap();
    // 5 KiB kept from each step would be more.
    assert_constant(measured(100, 1000), 4 * 1024);
}
