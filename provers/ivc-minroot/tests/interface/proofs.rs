//! Proofs that are accepted, and all that is not.

use std::cell::{Cell, RefCell};
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ivc_minroot::{Error, Fr, ITERATIONS, Input, Observer, Prover, Rejection, Setup, evaluate};

static PROVER: LazyLock<Prover> = LazyLock::new(|| Prover::new(Setup::development().unwrap()));
static START: LazyLock<[Fr; 2]> = LazyLock::new(|| [Fr::from(5), Fr::from(6)]);
static PROOF: LazyLock<String> = LazyLock::new(|| PROVER.prove(&Input::new(3, *START).unwrap()).unwrap());

#[test]
fn a_proof_of_steps_is_accepted_and_says_where_they_end() {
    assert_eq!(PROVER.verify(3, &START, &PROOF).unwrap(), evaluate(*START, 3 * ITERATIONS).output);
}

#[test]
fn a_proof_of_one_step_is_accepted() {
    let proof = PROVER.prove(&Input::new(1, *START).unwrap()).unwrap();
    assert_eq!(PROVER.verify(1, &START, &proof).unwrap(), evaluate(*START, ITERATIONS).output);
    assert!(PROVER.verify(2, &START, &proof).is_err());
}

#[test]
fn the_same_proof_is_rejected_for_another_start_and_another_number_of_steps() {
    for steps in [0, 1, 2, 4, u64::MAX] {
        assert!(PROVER.verify(steps, &START, &PROOF).is_err(), "{steps}");
    }
    let [x, y] = *START;
    for start in [[y, x], [x + Fr::one(), y], [x, y - Fr::one()], evaluate(*START, ITERATIONS).output] {
        assert!(PROVER.verify(3, &start, &PROOF).is_err(), "{start:?}");
    }
}

/// Every 41st byte, at a bit that moves on; the exhaustive one takes minutes.
#[test]
fn a_proof_with_a_bit_turned_over_is_rejected() {
    assert_rejected_with_bits_turned_over(41);
}

#[test]
#[ignore = "long: minutes, each byte of a proof"]
fn a_proof_with_any_byte_changed_is_rejected() {
    assert_rejected_with_bits_turned_over(1);
}

fn assert_rejected_with_bits_turned_over(step: usize) {
    let bytes = STANDARD.decode(&*PROOF).unwrap();
    for at in (0..bytes.len()).step_by(step).chain([bytes.len() - 1]) {
        let mut changed = bytes.clone();
        changed[at] ^= 1 << (at % 8);
        assert!(PROVER.verify(3, &START, &STANDARD.encode(changed)).is_err(), "byte {at}");
    }
}

#[test]
fn a_text_that_is_not_the_one_spelling_of_a_proof_is_rejected() {
    let bytes = STANDARD.decode(&*PROOF).unwrap();
    let cases = [
        String::new(),
        format!("{} ", *PROOF),
        format!("{}\n", *PROOF),
        PROOF.trim_end_matches('=').to_owned() + "A",
        STANDARD.encode(&bytes[..bytes.len() - 1]),
        STANDARD.encode([&bytes[..], &[0]].concat()),
        STANDARD.encode([&[2], &bytes[1..]].concat()),
        STANDARD.encode([1]),
        "A".repeat(1 << 20),
    ];
    for text in cases {
        assert!(PROVER.verify(3, &START, &text).is_err(), "{} characters", text.len());
    }
    let other_format = STANDARD.encode([&[2], &bytes[1..]].concat());
    assert!(matches!(
        PROVER.verify(3, &START, &other_format),
        Err(Rejection::Format { expected: 1, found: 2 })
    ));
}

#[derive(Default)]
struct Recorded {
    fractions: RefCell<Vec<f64>>,
    checks: Cell<usize>,
    cancel_at: Option<usize>,
}

impl Observer for Recorded {
    fn progress(&self, fraction: f64) {
        self.fractions.borrow_mut().push(fraction);
    }

    fn cancelled(&self) -> bool {
        self.checks.set(self.checks.get() + 1);
        Some(self.checks.get()) == self.cancel_at
    }
}

#[test]
fn progress_grows_with_each_step_and_ends_at_one() {
    let seen = Recorded::default();
    PROVER.prove_observed(&Input::new(4, *START).unwrap(), &seen).unwrap();
    let fractions = seen.fractions.into_inner();
    assert_eq!(fractions.len(), 5);
    assert!(fractions.is_sorted_by(|one, next| one < next) && fractions[4] == 1.0, "{fractions:?}");
}

#[test]
fn a_proof_that_is_no_longer_wanted_stops_before_the_next_step() {
    let seen = Recorded { cancel_at: Some(3), ..Recorded::default() };
    let refused = PROVER.prove_observed(&Input::new(1_000_000, *START).unwrap(), &seen);
    assert!(matches!(refused, Err(Error::Cancelled)));
    assert_eq!(seen.fractions.into_inner().len(), 2);
}
