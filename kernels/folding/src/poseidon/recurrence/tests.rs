use halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
    grumpkin,
};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

use super::super::{
    Error, Recurrence, Spec,
    matrix::{dot, times_column},
};

fn fifth<F: Field, const N: usize>(inputs: [F; N]) -> [F; N] {
    inputs.map(|input| input.square().square() * input)
}

/// One full round from S-box inputs to S-box inputs, as a circuit has it.
fn full_round<F: PrimeField, const T: usize>(mds: &[[F; T]; T], inputs: [F; T], constants: [F; T]) -> [F; T] {
    let mixed = times_column(mds, &fifth(inputs));
    std::array::from_fn(|i| mixed[i] + constants[i])
}

/// Permutes by the maps that a circuit has rows for, and gives the inputs of all S-boxes too.
fn permute_by_maps<F: PrimeField, const T: usize, const RATE: usize>(
    spec: &Spec<F, T, RATE>,
    state: [F; T],
) -> ([F; T], Vec<F>) {
    let (half, partial) = (spec.full_rounds() / 2, spec.partial_rounds());
    let constants = spec.round_constants();
    let mut seen = Vec::new();

    let mut inputs: [F; T] = std::array::from_fn(|i| state[i] + constants[0][i]);
    seen.extend(inputs);
    for added in &constants[1..half] {
        inputs = full_round(spec.mds(), inputs, *added);
        seen.extend(inputs);
    }

    let Recurrence { first, next, leave, .. } = spec.recurrence();
    let before = fifth(inputs);
    let mut partial_inputs: Vec<F> = Vec::new();
    for j in 0..T {
        let fifths: Vec<F> = partial_inputs.iter().map(|&input| fifth([input])[0]).collect();
        partial_inputs.push(
            dot(&first.fifth_before[j], &before) + dot(&first.fifth[j][..j], &fifths) + first.constants[j],
        );
    }
    assert_eq!(next.constants.len(), partial - T);
    for (k, constant) in next.constants.iter().enumerate() {
        let window: [F; T] = std::array::from_fn(|i| partial_inputs[k + i]);
        partial_inputs.push(dot(&next.linear, &window) + dot(&next.fifth, &fifth(window)) + constant);
    }
    let last: [F; T] = std::array::from_fn(|i| partial_inputs[partial - T + i]);
    inputs = std::array::from_fn(|i| {
        dot(&leave.linear[i], &last) + dot(&leave.fifth[i], &fifth(last)) + leave.constants[i]
    });
    seen.extend(partial_inputs);
    seen.extend(inputs);

    for added in &constants[half + partial + 1..] {
        inputs = full_round(spec.mds(), inputs, *added);
        seen.extend(inputs);
    }
    (times_column(spec.mds(), &fifth(inputs)), seen)
}

fn assert_maps_permute<F: PrimeField, const T: usize, const RATE: usize>(spec: &Spec<F, T, RATE>, seed: u64) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let start: [F; T] = std::array::from_fn(|_| F::random(&mut rng));
    let (by_maps, inputs_by_maps) = permute_by_maps(spec, start);

    let mut plain = start;
    spec.permute_plain(&mut plain);
    assert_eq!(by_maps, plain);

    let (mut quick, mut inputs) = (start, Vec::new());
    spec.permute_seen(&mut quick, |input| inputs.push(input));
    assert_eq!(inputs_by_maps, inputs);
    assert_eq!(inputs.len(), T * spec.full_rounds() + spec.partial_rounds());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn permuting_by_the_maps_is_the_plain_permutation(seed: u64) {
        assert_maps_permute(&Spec::<Fr, 3, 2>::reference().unwrap(), seed);
        assert_maps_permute(&Spec::<Fr, 5, 4>::reference().unwrap(), seed);
        assert_maps_permute(&Spec::<Fr, 9, 8>::reference().unwrap(), seed);
        assert_maps_permute(&Spec::<grumpkin::Fr, 3, 2>::reference().unwrap(), seed);
        assert_maps_permute(&Spec::<grumpkin::Fr, 5, 4>::reference().unwrap(), seed);
        assert_maps_permute(&Spec::<grumpkin::Fr, 9, 8>::reference().unwrap(), seed);
    }
}

#[test]
fn the_maps_hold_with_as_many_partial_rounds_as_the_state_is_wide() {
    assert_maps_permute(&Spec::<Fr, 5, 4>::new(2, 5).unwrap(), 1);
    assert_maps_permute(&Spec::<Fr, 5, 4>::new(8, 6).unwrap(), 2);
}

#[test]
fn the_oldest_input_counts_by_its_fifth_power_alone() {
    let spec = Spec::<Fr, 5, 4>::reference().unwrap();
    let Recurrence { next, leave, .. } = spec.recurrence();
    assert_eq!(next.linear[0], Fr::ZERO);
    assert!(leave.linear.iter().all(|row| row[0] == Fr::ZERO));
    assert_eq!((leave.linear[0], leave.fifth[0]), (next.linear, next.fifth));
}

#[test]
fn a_matrix_that_hides_the_state_from_the_first_s_box_is_refused() {
    let hiding = [[1, 1, 0], [1, 2, 0], [1, 1, 3]].map(|row| row.map(Fr::from));
    let constants = [[Fr::ONE; 3]; 4];
    let refused = Recurrence::new(&hiding, &constants, &constants[0]);
    assert_eq!(refused.map(drop), Err(Error::NotObservable));
}
