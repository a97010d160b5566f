//! A relation's bytes: which are read back, and which no relation has.

use halo2curves::ff::{Field as _, PrimeField as _};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};

use crate::relation::Relation;
use crate::relation::samples::F;
use crate::relation::samples::mixed::{GroupSample, Sample};
use crate::snark::encoding::{Error, read_exactly};

/// The most of anything that is counted.
const COUNT_MAX: usize = 1 << 26;

fn read(bytes: &[u8]) -> Result<Relation<F>, Error> {
    read_exactly(bytes, Relation::read)
}

fn refusal(bytes: &[u8]) -> Error {
    read(bytes).map(|_| ()).unwrap_err()
}

fn numbers<const N: usize>(numbers: [u32; N]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A relation over the constant and two entries of one round, of groups that are bytes already.
fn relation(groups: &[Vec<u8>]) -> Vec<u8> {
    let count = u32::try_from(groups.len()).unwrap();
    [numbers([0, 0]), vec![1], numbers([2, count]), groups.concat()].concat()
}

/// A group with one polynomial in one input, each given as its bytes.
fn group(rows: u32, input: &[u8], polynomial: &[u8]) -> Vec<u8> {
    [&numbers([rows, 1])[..], input, &numbers([1]), polynomial].concat()
}

/// The entry of this number at each row.
fn cells(rows: u32, cell: u32) -> Vec<u8> {
    [vec![0], numbers([cell]).repeat(rows as usize)].concat()
}

/// The input of this number.
fn input(number: u32) -> Vec<u8> {
    [vec![1], numbers([number])].concat()
}

#[test]
fn a_relation_is_read_back_from_its_bytes_and_from_no_part_of_them() {
    let group = |rows, polynomials, degree| GroupSample { rows, polynomials, degree };
    let groups = vec![group(5, 1, 3), group(2, 2, 2)];
    let sample = Sample { publics: 2, challenges: 1, rounds: 2, free: 4, groups };
    let relation: Relation<F> = sample.build(&mut ChaCha20Rng::seed_from_u64(1));
    let mut bytes = Vec::new();
    relation.write(&mut bytes);
    let back = read(&bytes).unwrap();
    assert_eq!(back.digest(), relation.digest());
    let mut again = Vec::new();
    back.write(&mut again);
    assert_eq!(again, bytes);
    for length in 0..bytes.len() {
        assert_eq!(refusal(&bytes[..length]), Error::Truncated, "{length} bytes");
    }
}

#[test]
fn orders_groups_as_their_constraints_are_numbered() {
    let rows = |rows| group(rows, &cells(rows, 1), &input(0));
    assert!(read(&relation(&[rows(4), rows(3), rows(1)])).is_ok(), "four rows and three are padded alike");
    assert!(read(&relation(&[rows(3), rows(4)])).is_ok());
    let refused = refusal(&relation(&[rows(1), rows(2)]));
    assert_eq!(refused, Error::Length { found: 2, least: 1, most: 1 });
}

#[test]
fn a_group_without_rows_or_without_inputs_is_refused() {
    let nothing = Error::Length { found: 0, least: 1, most: COUNT_MAX };
    assert_eq!(refusal(&relation(&[group(0, &cells(0, 1), &input(0))])), nothing);
    let constant = [numbers([1, 0, 1]), vec![0, 0]].concat();
    assert_eq!(refusal(&relation(&[constant])), nothing);
}

#[test]
fn what_is_not_there_is_not_read() {
    let beyond = |found, most| Error::Length { found, least: 0, most };
    let last = cells(1, 2);
    assert!(read(&relation(&[group(1, &last, &input(0))])).is_ok());
    assert_eq!(refusal(&relation(&[group(1, &cells(1, 3), &input(0))])), beyond(3, 2));
    let combined = |cell| [vec![1], numbers([1, cell]), vec![1]].concat();
    assert!(read(&relation(&[group(1, &combined(2), &input(0))])).is_ok());
    assert_eq!(refusal(&relation(&[group(1, &combined(3), &input(0))])), beyond(3, 2));
    assert_eq!(refusal(&relation(&[group(1, &last, &input(1))])), beyond(1, 0));
}

#[test]
fn expressions_nest_to_a_depth_that_reading_them_takes() {
    let negated = |times| [vec![5; times], input(0)].concat();
    let nested = |times| relation(&[group(1, &cells(1, 1), &negated(times))]);
    assert!(read(&nested(1023)).is_ok());
    assert_eq!(refusal(&nested(1024)), Error::Length { found: 1025, least: 1, most: 1024 });
}

#[test]
fn all_polynomials_together_have_no_more_operations_than_raising_them_takes() {
    const NODES_MAX: usize = 1 << 17;
    let zeros = |count: usize| {
        let polynomials = numbers([u32::try_from(count).unwrap()]);
        [numbers([1, 1]), cells(1, 1), polynomials, vec![0; 2 * count]].concat()
    };
    let too_many = Error::Length { found: NODES_MAX + 1, least: 1, most: NODES_MAX };
    assert!(read(&relation(&[zeros(NODES_MAX)])).is_ok());
    assert_eq!(refusal(&relation(&[zeros(NODES_MAX + 1)])), too_many);
    // A sum of 2^16 inputs has one operation less than inputs.
    let sum = (0..16).fold(input(0), |half, _| [&[2], &half[..], &half].concat());
    let padded = |count| relation(&[group(1, &cells(1, 1), &sum), zeros(count)]);
    assert!(read(&padded(1)).is_ok());
    assert_eq!(refusal(&padded(2)), too_many);
}

#[test]
fn an_element_has_one_writing() {
    let fixed = |element: &[u8]| relation(&[group(1, &[&[2], element].concat(), &input(0))]);
    let encoded = |element: F| [&[3], element.to_repr().as_ref()].concat();
    for (tag, element) in [(0, F::ZERO), (1, F::ONE), (2, -F::ONE)] {
        assert!(read(&fixed(&[tag])).is_ok());
        assert_eq!(refusal(&fixed(&encoded(element))), Error::Scalar, "{element:?}");
    }
    assert!(read(&fixed(&encoded(F::from(2)))).is_ok());
}

#[test]
fn counts_above_their_caps_are_refused_before_anything_is_read_for_them() {
    let above = |most: usize| Error::Length { found: most + 1, least: 0, most };
    let many = u32::try_from(COUNT_MAX + 1).unwrap();
    assert_eq!(refusal(&numbers([many])), above(COUNT_MAX));
    assert_eq!(refusal(&numbers([0, many])), above(COUNT_MAX));
    assert_eq!(refusal(&[numbers([0, 0]), vec![9]].concat()), above(8));
    assert_eq!(refusal(&[numbers([0, 0]), vec![1], numbers([2, many])].concat()), above(COUNT_MAX));
    assert_eq!(refusal(&relation(&[numbers([many])])), above(COUNT_MAX));
    assert_eq!(refusal(&relation(&[numbers([1, many])])), above(COUNT_MAX));
}

#[test]
fn counts_of_more_than_the_bytes_hold_are_refused_before_anything_is_read_for_them() {
    // Of each the first is what nothing is, so that reading it would be refused for that.
    let group = |start: &[u8]| refusal(&relation(&[[start, &[9; 64]].concat()]));
    let many = 1 << 26;
    assert_eq!(
        refusal(&[numbers([0, 0]), vec![1], numbers([2, many]), vec![0; 64]].concat()),
        Error::Truncated
    );
    assert_eq!(group(&numbers([many])), Error::Truncated);
    assert_eq!(group(&numbers([1, many])), Error::Truncated);
    assert_eq!(group(&numbers([32, 2])), Error::Truncated, "two inputs of 32 rows take 66 bytes");
    assert_eq!(group(&[numbers([1, 1]), cells(1, 1), numbers([many])].concat()), Error::Truncated);
    let combined = [numbers([1, 1]), vec![1], numbers([many])].concat();
    assert_eq!(group(&combined), Error::Truncated);
}
