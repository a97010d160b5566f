//! What set-up makes of circuits.

use halo2curves::bn256::Fr;

use super::super::*;
use super::circuits::Cubic;

#[test]
fn makes_one_variable_of_all_cells_that_are_tied_together() {
    let setup = StepSetup::<1, Fr, _>::new(&Cubic { repeats: 3, constant: 5 }, 17).unwrap();
    let shape = setup.shape();
    assert_eq!(shape.variables, 4);
    assert_eq!(shape.outputs, [Operand::Variable(3)]);
    let [gate] = &shape.gates[..] else { panic!("one gate, not {:?}", shape.gates) };
    assert_eq!((gate.name.as_str(), gate.degree, gate.rows.inputs), ("cubic", 3, 2));
    assert_eq!(gate.rows.origins, [0, 1, 2]);
    for row in 0..3u32 {
        let row_operands = [OperandId::variable(row), OperandId::variable(row + 1)];
        assert_eq!(gate.rows.row(row as usize), row_operands);
    }
}

#[test]
fn a_constant_of_all_rows_is_put_into_the_polynomial() {
    let setup = StepSetup::<1, Fr, _>::new(&Cubic { repeats: 1, constant: 5 }, 17).unwrap();
    let expression = &setup.shape().gates[0].expressions[0];
    let value = expression.evaluate(&|input| Fr::from([2, 15][input]));
    assert_eq!(value, Fr::zero());
}

#[test]
fn a_step_is_computed_as_it_is_laid_out() {
    let circuit = Cubic { repeats: 2, constant: 5 };
    assert_eq!(circuit.process_step(&[Fr::from(2)], 17).unwrap(), [Fr::from(15 * 15 * 15 + 15 + 5)]);
}
