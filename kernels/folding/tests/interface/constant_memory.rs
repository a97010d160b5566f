//! What a computation takes does not grow with its steps.

use std::process::Command;
use std::{env, fs};

use elastic_folding::prelude::bn256::IVC;

use super::common::{PARAMETERS, SAME, SECONDARY_Z_0, Square, Z_0};

/// `FEW MANY`: the steps after which a separate process measures.
const STEPS: &str = "ELASTIC_MEASURED_STEPS";

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

/// The peak is the process's, so this program is started again, for one test alone.
fn assert_constant_in_separate_process(few: u64, many: u64) {
    let measurement = ["--exact", "constant_memory::measurement", "--ignored", "--nocapture"];
    let steps = format!("{few} {many}");
    let output =
        Command::new(env::current_exe().unwrap()).args(measurement).env(STEPS, steps).output().unwrap();
    let written = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{written}");
    assert!(written.contains("1 passed"), "nothing was measured: {written}");
}

#[test]
#[ignore = "only in a separate process, which the tests below start"]
fn measurement() {
    let Ok(steps) = env::var(STEPS) else { return };
    let (few, many) = steps.split_once(' ').unwrap();
    // Of fifteen steps, a primary vector retained from each would be a third of a MiB; of nine hundred, 5 KiB would be more.
    assert_constant(measured(few.parse().unwrap(), many.parse().unwrap()), 4 * 1024);
}

#[test]
fn later_steps_take_no_more_memory_than_the_first() {
    assert_constant_in_separate_process(5, 20);
}

#[test]
#[ignore = "long: a thousand steps, about two minutes on two idle cores"]
fn a_thousand_steps_take_no_more_memory_than_a_hundred() {
    assert_constant_in_separate_process(100, 1000);
}
