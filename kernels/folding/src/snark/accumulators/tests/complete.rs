use super::*;

#[test]
fn claims_that_hold_are_proved_whatever_the_number_of_rounds() {
    for rounds in 1..=3 {
        let claimed = Claimed::random(&mut rng(rounds as u64), rounds);
        let proof = claimed.prove();
        claimed.verify(&proof).unwrap();
        assert_eq!(Proof::from_bytes(&proof.to_bytes()).unwrap(), proof);
    }
}

#[test]
fn accumulators_of_nothing_are_proved() {
    let mut claimed = Claimed::random(&mut rng(5), 2);
    let relaxed = Arc::clone(&claimed.key.secondary);
    claimed.secondary = cross_term::Accumulator::empty(relaxed.relation().layout());
    claimed.secondary_witness = cross_term::Witness::empty(&relaxed);
    claimed.verify(&claimed.prove()).unwrap();
}
