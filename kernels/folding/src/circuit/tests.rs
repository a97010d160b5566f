use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

use super::{Circuit, Linear};
use crate::relation::Relation;

/// Builds the circuit twice, recorded and not; the values must agree. Gives the relation and the vector.
fn build(circuit: impl Fn(&mut Circuit<Fr>)) -> (Relation<Fr>, Vec<Fr>) {
    let (mut recorded, mut assigned) = (Circuit::recorded(), Circuit::assigned());
    circuit(&mut recorded);
    circuit(&mut assigned);
    let vector = assigned.vector();
    assert_eq!(recorded.vector(), vector);
    assert_eq!(recorded.layout(), assigned.layout());
    let shape = recorded.into_shape().unwrap();
    (Relation::new(shape.layout, shape.groups), vector)
}

/// Asserts that the vector satisfies the relation, and that a change of any one entry but the constant does not.
fn assert_each_entry_is_bound((relation, vector): (Relation<Fr>, Vec<Fr>)) {
    assert_eq!(relation.violations(&vector, 3), vec![]);
    for index in 1..vector.len() {
        let mut changed = vector.clone();
        changed[index] += Fr::from(9);
        assert_ne!(relation.violations(&changed, 1), vec![], "entry {index} is free");
    }
}

#[test]
fn a_product_binds_its_factors() {
    assert_each_entry_is_bound(build(|circuit| {
        let (x, y) = (circuit.public(Fr::from(3)), circuit.witness(Fr::from(5)));
        let product = circuit.product(&(&x + &Linear::one()), &y);
        circuit.enforce_equal(&product, &Linear::constant(Fr::from(20)));
    }));
}

#[test]
fn a_bit_chooses() {
    for bit in [false, true] {
        assert_each_entry_is_bound(build(|circuit| {
            let bit = circuit.bit(bit);
            let chosen = circuit.choose(&bit, &Linear::constant(Fr::from(7)), &Linear::constant(Fr::from(8)));
            let expected = if bit.value() == Fr::ONE { 7 } else { 8 };
            circuit.enforce_equal(&chosen, &Linear::constant(Fr::from(expected)));
        }));
    }
}

#[test]
fn zero_is_distinguished_from_everything_else() {
    for value in [0, 1, 17] {
        let (relation, vector) = build(|circuit| {
            let value = circuit.public(Fr::from(value));
            let is_zero = circuit.is_zero(&value);
            let said = circuit.public(is_zero.value());
            circuit.enforce_equal(&said, &is_zero);
        });
        assert_eq!(relation.violations(&vector, 1), vec![]);
        assert_eq!(vector[2], Fr::from(u64::from(value == 0)));
        // The other result is refused whatever inverse is claimed: it would have to be 1 / value, or anything for 0.
        for inverse in [Fr::ZERO, Fr::ONE, Fr::from(value).invert().unwrap_or(Fr::from(5))] {
            let mut dishonest = vector.clone();
            dishonest[2] = Fr::ONE - dishonest[2];
            (dishonest[3], dishonest[4]) = (inverse, Fr::ONE - dishonest[2]);
            assert_ne!(relation.violations(&dishonest, 1), vec![]);
        }
    }
}

#[test]
fn digits_are_below_four_and_an_odd_bit_below_two() {
    let (relation, vector) = build(|circuit| {
        let digits = circuit.digits(&[0b1_11_01], 5);
        assert_eq!(digits.iter().map(Linear::value).collect::<Vec<_>>(), [1, 3, 1].map(Fr::from));
    });
    assert_eq!(relation.violations(&vector, 1), vec![]);
    for (index, too_large) in [(1, 4), (2, 4), (3, 2)] {
        let mut changed = vector.clone();
        changed[index] = Fr::from(too_large);
        assert_eq!(relation.violations(&changed, 2).len(), 1);
    }
}

#[test]
fn terms_that_cancel_leave_a_constant() {
    let (relation, vector) = build(|circuit| {
        let x = circuit.public(Fr::from(3));
        circuit.enforce_zero(&(&x - &x));
        circuit.enforce_equal(&x, &Linear::constant(Fr::from(3)));
    });
    assert_eq!(relation.numbers(), 2);
    assert_eq!(relation.violations(&vector, 1), vec![]);
}
