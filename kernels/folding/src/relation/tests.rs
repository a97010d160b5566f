mod codec;

use halo2curves::ff::Field as _;
use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};

use super::samples::{F, satisfied, shape};
use super::{CHUNK, Expression, Group, Input, Layout, Program, Registers, Relation};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_program_gives_what_its_expression_says(seed: u64, degree in 1_usize..7) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let relation = shape(&mut rng, &[degree], 1).relation;
        let group = &relation.groups()[0];
        let inputs: Vec<[F; CHUNK]> =
            group.inputs().iter().map(|_| std::array::from_fn(|_| F::random(&mut rng))).collect();
        let mut registers = Registers::new();
        group.program().evaluate(&inputs, &mut registers);
        for row in 0..CHUNK {
            let of_row: Vec<_> = inputs.iter().map(|input| input[row]).collect();
            let expected = group.expressions()[0].evaluate(&|input| of_row[input]);
            prop_assert_eq!(group.program().output(0, &registers)[row], expected);
        }
    }

    #[test]
    fn each_changed_entry_in_use_is_found(seed: u64, rows in 1_usize..80) {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let (relation, mut z) = satisfied(&mut rng, &[1, 2, 5], rows, F::random(&mut ChaCha20Rng::seed_from_u64(1)));
        prop_assert_eq!(relation.violations(&z, 10), vec![]);
        let changed = z.len() - 1 - usize::try_from(seed % (rows as u64)).unwrap();
        z[changed] += F::ONE;
        let violations = relation.violations(&z, 10);
        prop_assert_eq!(violations.len(), 1);
        prop_assert_eq!(&violations[0].group, "degree 5");
        prop_assert_eq!(violations[0].row, rows + 6 - 1 - (z.len() - 1 - changed));
    }
}

#[test]
fn what_occurs_twice_is_computed_once() {
    let x = || Expression::<F>::Input(0);
    let program = Program::new(&[x().fifth_power() + x(), x().fifth_power()]);
    // The input, its square, the fourth power, the fifth, and the sum.
    assert_eq!(format!("{program:?}").matches("Square(").count(), 2);
    assert_eq!(format!("{program:?}").matches("Multiply(").count(), 1);
}

#[test]
fn fixed_inputs_add_no_degree() {
    let product = Expression::<F>::Input(0) * Expression::Input(1);
    let group = Group::new("scaled", vec![product], vec![Input::Cell(vec![1]), Input::Fixed(vec![F::ONE])]);
    assert_eq!(group.degree(), 1);
}

#[test]
fn the_digest_depends_on_everything_but_names() {
    let relation = |name: &str, publics, cell, constant: u64| {
        let inputs = vec![Input::Cell(vec![cell]), Input::Fixed(vec![F::from(constant)])];
        let group = Group::new(name, vec![Expression::Input(0) - Expression::Input(1)], inputs);
        Relation::new(Layout { publics, challenges: 0, rounds: vec![3] }, vec![group]).digest()
    };
    assert_eq!(relation("a", 1, 2, 7), relation("b", 1, 2, 7));
    assert_ne!(relation("a", 1, 2, 7), relation("a", 2, 2, 7));
    assert_ne!(relation("a", 1, 2, 7), relation("a", 1, 3, 7));
    assert_ne!(relation("a", 1, 2, 7), relation("a", 1, 2, 8));
}

#[test]
#[should_panic(expected = "reads beyond the vector")]
fn a_group_beyond_the_vector_is_refused() {
    let group = Group::new("far", vec![Expression::<F>::Input(0)], vec![Input::Cell(vec![9])]);
    let _ = Relation::new(Layout { publics: 1, challenges: 0, rounds: vec![3] }, vec![group]);
}

#[test]
fn the_numbers_of_a_polynomial_are_aligned_to_a_power_of_two() {
    let cells = |rows| vec![Input::Cell(vec![1; rows])];
    let polynomials = |count| vec![Expression::<F>::Input(0); count];
    let group = |rows, count| Group::new(format!("{rows}"), polynomials(count), cells(rows));
    let layout = Layout { publics: 1, challenges: 0, rounds: vec![1] };
    let relation = Relation::new(layout, vec![group(1, 3), group(5, 2), group(9, 1), group(5, 1)]);
    let firsts: Vec<_> = relation.numbered_groups().map(|(first, group)| (first, group.stride())).collect();
    assert_eq!(firsts, [(0, 16), (16, 8), (32, 8), (40, 1)]);
    assert_eq!(relation.numbers(), 43);
    let values = relation.values(&[F::ONE, F::from(7), F::ZERO]);
    assert_eq!(values.iter().filter(|value| **value == F::from(7)).count(), 9 + 10 + 5 + 3);
    assert!(values[9..16].iter().all(|value| *value == F::ZERO));
}
