use halo2curves::bn256::Fr;
use halo2curves::ff::Field;

use super::*;

#[test]
fn a_tuple_is_found_under_the_number_it_was_given_however_many_came_later() {
    let mut tuples = Tuples::new(2);
    let pair = |number: u64| [Fr::from(number), Fr::from(number).square()];
    for number in 0..1000 {
        assert_eq!(tuples.insert(&pair(number)), u32::try_from(number).unwrap());
    }
    for number in 0..1000 {
        assert_eq!(tuples.find(&pair(number)), Some(u32::try_from(number).unwrap()));
        assert_eq!(tuples.insert(&pair(number)), u32::try_from(number).unwrap());
    }
    assert_eq!(tuples.len(), 1000);
}

#[test]
fn a_tuple_that_differs_in_one_element_is_not_found() {
    let mut tuples = Tuples::new(2);
    tuples.insert(&[Fr::ONE, Fr::ZERO]);
    assert_eq!(tuples.find(&[Fr::ONE, Fr::ONE]), None);
    assert_eq!(tuples.find(&[Fr::ZERO, Fr::ONE]), None);
    assert_eq!(Tuples::new(2).find(&[Fr::ZERO, Fr::ZERO]), None);
}
