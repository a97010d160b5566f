use std::collections::HashSet;

use halo2curves::{
    bn256::Fr,
    ff::{Field, PrimeField},
    grumpkin,
};
use proptest::{collection::vec, prelude::*};

use super::super::{PoseidonRo, RandomOracle, RandomOracleFor, Spec, Sponge, Tag};

type Ro = PoseidonRo<5, 4>;

fn start<F: PrimeField>(label: &str) -> Sponge<F, 5, 4> {
    <Ro as RandomOracleFor<F>>::start(&<Ro as RandomOracleFor<F>>::reference().unwrap(), Tag::new(label))
}

fn hash<F: PrimeField>(elements: &[F]) -> F {
    let mut oracle = start("test");
    oracle.absorb_all(elements);
    oracle.squeeze()
}

#[test]
fn one_block_is_one_permutation_of_tag_length_and_elements() {
    let spec = Spec::<Fr, 5, 4>::reference().unwrap();
    let elements = [7, 8, 9].map(Fr::from);
    let capacity = Tag::new("test").capacity::<Fr>() + Fr::from(3);
    let mut state = [capacity, elements[0], elements[1], elements[2], Fr::ZERO];
    spec.permute_plain(&mut state);
    assert_eq!(hash(&elements), state[1]);
}

#[test]
fn blocks_lengths_and_squeezes_go_in_as_documented() {
    let spec = Spec::<Fr, 3, 2>::reference().unwrap();
    let [a, b, c, d] = [5, 6, 7, 8].map(Fr::from);
    let tag = Tag::new("documented");
    let mut oracle = Sponge::new(&spec, tag);
    oracle.absorb_all([&a, &b, &c]);
    let mut squeezed: Vec<Fr> = (0..3).map(|_| oracle.squeeze()).collect();
    oracle.absorb(d);
    squeezed.push(oracle.squeeze());

    let mut state = [tag.capacity(), a, b];
    spec.permute_plain(&mut state);
    state[0] += Fr::from(3);
    state[1] += c;
    spec.permute_plain(&mut state);
    let [_, first, second] = state;
    spec.permute_plain(&mut state);
    let third = state[1];
    state[0] += Fr::ONE;
    state[1] += d;
    spec.permute_plain(&mut state);
    assert_eq!(squeezed, [first, second, third, state[1]]);
}

#[test]
fn a_full_block_is_permuted_once() {
    let spec = Spec::<Fr, 5, 4>::reference().unwrap();
    let elements = [1, 2, 3, 4].map(Fr::from);
    let mut state =
        [Tag::new("test").capacity::<Fr>() + Fr::from(4), elements[0], elements[1], elements[2], elements[3]];
    spec.permute_plain(&mut state);
    assert_eq!(hash(&elements), state[1]);
}

#[test]
fn trailing_zeros_change_the_hash() {
    let mut elements = vec![Fr::from(3)];
    let mut hashes = HashSet::from([hash::<Fr>(&[])]);
    for _ in 0..10 {
        assert!(hashes.insert(hash(&elements)));
        elements.push(Fr::ZERO);
    }
    let zeros = [Fr::ZERO; 10];
    for length in 1..=10 {
        assert!(hashes.insert(hash(&zeros[..length])));
    }
}

#[test]
fn squeezes_other_elements_after_a_squeeze_at_another_place() {
    let elements: Vec<Fr> = (1..=6).map(Fr::from).collect();
    let mut last = HashSet::new();
    for cut in 0..=elements.len() {
        let mut oracle = start("test");
        oracle.absorb_all(&elements[..cut]);
        oracle.squeeze();
        oracle.absorb_all(&elements[cut..]);
        oracle.absorb(Fr::from(7));
        assert!(last.insert(oracle.squeeze()));
    }
}

#[test]
fn an_empty_squeeze_is_not_a_block_of_zeros() {
    let mut squeezed_first = start::<Fr>("test");
    squeezed_first.squeeze();
    squeezed_first.absorb(Fr::ONE);
    let mut zeros_first = start::<Fr>("test");
    zeros_first.absorb_all(&[Fr::ZERO, Fr::ZERO, Fr::ZERO, Fr::ZERO, Fr::ONE]);
    assert_ne!(squeezed_first.squeeze(), zeros_first.squeeze());
}

#[test]
fn tags_keep_transcripts_apart() {
    let (mut state, mut challenge) = (start::<Fr>("state"), start::<Fr>("challenge"));
    assert_ne!(state.squeeze(), challenge.squeeze());
    state.absorb(Fr::ONE);
    challenge.absorb(Fr::ONE);
    assert_ne!(state.squeeze(), challenge.squeeze());
}

#[test]
fn squeezes_in_a_row_are_all_different() {
    let mut oracle = start::<grumpkin::Fr>("test");
    oracle.absorb(grumpkin::Fr::ONE);
    let squeezed: HashSet<_> = (0..20).map(|_| oracle.squeeze()).collect();
    assert_eq!(squeezed.len(), 20);
}

#[test]
fn a_challenge_is_the_low_half_of_a_squeezed_element() {
    let mut whole = start::<Fr>("test");
    let mut half = start::<Fr>("test");
    for _ in 0..10 {
        let element = whole.squeeze();
        let challenge = half.squeeze_challenge();
        let high = element - Fr::from_u128(challenge);
        let two_to_64 = Fr::from_u128(1 << 64);
        let shifted = high * (two_to_64 * two_to_64).invert().unwrap();
        assert!(shifted.to_repr().as_ref()[16..].iter().all(|&byte| byte == 0), "the rest is below 2^128");
        assert_eq!(&element.to_repr().as_ref()[..16], challenge.to_le_bytes());
    }
}

#[test]
fn the_oracle_of_both_fields_is_named_without_its_constants() {
    fn digests<R: RandomOracleFor<Fr> + RandomOracleFor<grumpkin::Fr>>() -> [[u8; 32]; 2] {
        let primary = <R as RandomOracleFor<Fr>>::reference().unwrap();
        let secondary = <R as RandomOracleFor<grumpkin::Fr>>::reference().unwrap();
        assert!(!<R as RandomOracleFor<Fr>>::is_below_reference(&primary));
        assert!(<Ro as RandomOracleFor<Fr>>::is_below_reference(&Spec::new(10, 10).unwrap()));
        [
            <R as RandomOracleFor<Fr>>::digest(&primary),
            <R as RandomOracleFor<grumpkin::Fr>>::digest(&secondary),
        ]
    }
    let [primary, secondary] = digests::<Ro>();
    assert_ne!(primary, secondary);
    assert_eq!(primary, Spec::<Fr, 5, 4>::reference().unwrap().digest());
}

fn assert_each_absorbed_element_counts<F: PrimeField>(numbers: &[u64], changed: usize, by: u64) {
    let mut elements: Vec<F> = numbers.iter().copied().map(F::from).collect();
    let challenge = |elements: &[F]| {
        let mut oracle = start::<F>("test");
        oracle.absorb_all(elements);
        oracle.squeeze_challenge()
    };
    let before = challenge(&elements);
    elements[changed] += F::from(by);
    assert_ne!(before, challenge(&elements));
    elements[changed] -= F::from(by);
    assert_eq!(before, challenge(&elements));
    if elements[changed] != elements[0] {
        elements.swap(0, changed);
        assert_ne!(before, challenge(&elements));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_changed_or_moved_element_changes_the_challenge(
        numbers in vec(any::<u64>(), 1..14), index: proptest::sample::Index, by in 1u64..,
    ) {
        let changed = index.index(numbers.len());
        assert_each_absorbed_element_counts::<Fr>(&numbers, changed, by);
        assert_each_absorbed_element_counts::<grumpkin::Fr>(&numbers, changed, by);
    }
}
