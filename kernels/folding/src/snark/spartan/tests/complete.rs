use halo2curves::{bn256, grumpkin};
use proptest::prelude::*;

use super::*;

/// All that a transcript absorbs: what prover and verifier come to is the same, and true.
fn assert_complete<F: FromUniformBytes<64>>(claimed: &Claimed<F>) {
    let (proof, proved) = claimed.prove();
    assert_eq!(claimed.verify(&proof).unwrap(), proved);
    assert_eq!(proved.values, claimed.values_at(&proved.point));
    let mut bytes = Vec::new();
    proof.write(&mut bytes);
    let mut reader = Reader::new(&bytes);
    assert_eq!(Proof::read(&mut reader).unwrap(), proof);
    reader.finish().unwrap();
}

fn group() -> impl Strategy<Value = GroupSample> {
    (1_usize..40, 1_usize..4, 1_usize..7).prop_map(|(rows, polynomials, degree)| GroupSample {
        rows,
        polynomials,
        degree,
    })
}

prop_compose! {
    fn any_sample()(
        publics in 0_usize..4,
        challenges in 0_usize..3,
        rounds in 1_usize..4,
        free in 1_usize..40,
        groups in prop::collection::vec(group(), 1..5),
    ) -> Sample {
        Sample { publics, challenges, rounds, free, groups }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_sum_is_proved_whatever_the_relation(seed: u64, sample in any_sample(), errors: bool) {
        assert_complete(&Claimed::<bn256::Fr>::random(&mut rng(seed), &sample, errors));
    }
}

#[test]
fn a_sum_is_proved_over_the_other_field_too() {
    assert_complete(&Claimed::<grumpkin::Fr>::random(&mut rng(1), &sample(), true));
}

#[test]
fn one_constraint_on_one_entry_is_enough() {
    let group = GroupSample { rows: 1, polynomials: 1, degree: 1 };
    let sample = Sample { publics: 0, challenges: 0, rounds: 1, free: 1, groups: vec![group] };
    for errors in [false, true] {
        assert_complete(&Claimed::<bn256::Fr>::random(&mut rng(2), &sample, errors));
    }
}

#[test]
fn more_rows_than_a_thread_takes_are_proved() {
    let group = |rows, degree| GroupSample { rows, polynomials: 2, degree };
    let groups = vec![group(5000, 2), group(1100, 3)];
    let sample = Sample { publics: 3, challenges: 2, rounds: 2, free: 3000, groups };
    assert_complete(&Claimed::<bn256::Fr>::random(&mut rng(3), &sample, true));
}
