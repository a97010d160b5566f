//! Constants as hadeshash and circomlib publish them. Those of permutations are tested where permutations are.

use ff::PrimeField as _;
use grain::Grain;
use halo2curves::bn256::Fr;

/// The number that these digits are, in base 16.
fn element(digits: &str) -> Fr {
    let digit = |digit: char| Fr::from(u64::from(digit.to_digit(16).expect("a digit in base 16")));
    digits.chars().fold(Fr::zero(), |sum, next| sum * Fr::from(16) + digit(next))
}

#[test]
fn draws_the_first_round_constants_of_x5_254_3() {
    let mut grain = Grain::<Fr>::new(3, 8, 57);
    let published = [
        "0ee9a592ba9a9518d05986d656f40c2114c4993c11bb29938d21d47304cd8e6e",
        "00f1445235f2148c5986587169fc1bcd887b08d4d00868df5696fff40956e864",
        "08dff3487e8ac99e1f29a058d0fa80b930c728730b7ab36ce879f3890ecf73f5",
    ];
    assert_eq!(published.map(|_| grain.element_by_rejection()), published.map(element));
}

#[test]
fn reduces_where_it_would_reject() {
    let (mut reducing, mut rejecting) = (Grain::<Fr>::new(3, 8, 57), Grain::<Fr>::new(3, 8, 57));
    let reduced: Vec<_> = (0..40).map(|_| reducing.element_by_reduction()).collect();
    let drawn: Vec<_> = (0..20).map(|_| rejecting.element_by_rejection()).collect();
    let mut draws = reduced.iter();
    assert!(drawn.iter().all(|element| draws.any(|reduced| reduced == element)), "in the order of the draws");
    assert!(reduced.iter().zip(&drawn).any(|(reduced, element)| reduced != element), "one draw was rejected");
    assert_eq!(Fr::NUM_BITS, 254);
}
