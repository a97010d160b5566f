//! What set-up refuses, and with what words.

use halo2curves::bn256::Fr;
use halo2curves::ff::Field;
use midnight_proofs::plonk::TableError;

use super::super::*;
use super::circuits::Cubic;
use super::faulty::{Fault, Faulty};

fn refusal(fault: Fault) -> Error {
    Faulty::setup(fault).unwrap_err()
}

fn table_refusal(fault: Fault) -> TableError {
    match refusal(fault) {
        Error::Synthesis(SynthesisError::Halo2(PlonkError::TableError(error))) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_circuit_without_fault_is_set_up() {
    let setup = Faulty::setup(Fault::None).unwrap();
    let witness = setup.witness(&Faulty::new(Fault::None), &[Fr::from(7)]).unwrap();
    setup.check(&witness).unwrap();
    assert_eq!(witness.z_out, [Fr::from(7)]);
}

#[test]
#[should_panic(expected = "instance columns cannot be used in a step circuit")]
fn an_instance_column_aborts_with_the_documented_message() {
    let _ = Faulty::setup(Fault::Instance);
}

#[test]
fn a_table_below_seventeen_is_refused() {
    let circuit = trivial::Circuit::<1, Fr>::default();
    for k_table_size in [0, 16, 29, u32::MAX] {
        let error = StepSetup::new(&circuit, k_table_size).unwrap_err();
        assert!(matches!(error, Error::TableSize { smallest: 17, .. }), "{error}");
        let error = circuit.process_step(&[Fr::ONE], k_table_size).unwrap_err();
        assert!(error.to_string().contains("from 2^17"), "{error}");
    }
    StepSetup::new(&circuit, 17).unwrap();
}

#[test]
fn rows_beyond_the_table_are_refused_with_the_size_that_would_do() {
    let circuit = Cubic { repeats: 1 << 17, constant: 5 };
    let error = StepSetup::new(&circuit, 17).unwrap_err();
    assert!(matches!(error, Error::TooManyRows { rows: 131_072, k_table_size: 17, needed: 18 }), "{error}");
    assert!(error.to_string().contains("it needs k = 18"), "{error}");
    StepSetup::new(&circuit, 18).unwrap();
    let error = circuit.process_step(&[Fr::ONE], 17).unwrap_err();
    assert!(error.to_string().contains("it needs k = 18"), "{error}");
}

#[test]
fn rows_are_counted_without_those_the_front_end_keeps_for_itself() {
    let error = refusal(Fault::FarRow);
    assert!(matches!(error, Error::TooManyRows { rows: 131_072, needed: 18, .. }), "{error}");
    StepSetup::new(&Faulty::new(Fault::FarRow), 18).unwrap();
}

#[test]
fn rows_that_no_table_has_are_refused_without_being_laid_out() {
    let error = refusal(Fault::FarthestRow);
    assert!(matches!(error, Error::TooManyRows { k_table_size: 17, needed: 32.., .. }), "{error}");
    for fault in [Fault::FarCopy, Fault::FarthestCopy] {
        let error = refusal(fault);
        assert!(matches!(error, Error::TooManyRows { k_table_size: 17, needed: 18.., .. }), "{error}");
    }
    let error = refusal(Fault::NoRow);
    assert!(matches!(error, Error::Synthesis(SynthesisError::Halo2(PlonkError::BoundsFailure))), "{error}");
}

#[test]
fn phases_and_challenges_are_refused() {
    assert!(matches!(refusal(Fault::LaterPhase), Error::LaterPhase(Lane::Advice(2))));
    assert!(matches!(refusal(Fault::Challenge), Error::Challenges));
}

#[test]
fn a_fixed_cell_has_to_be_known_at_set_up() {
    let error = refusal(Fault::FixedUnknown);
    assert!(matches!(&error, Error::FixedUnknown { column: 0, region } if region == "faulty"), "{error}");
}

#[test]
fn a_value_has_to_be_known_in_a_step() {
    let setup = Faulty::setup(Fault::ValueUnknown).unwrap();
    let error = setup.witness(&Faulty::new(Fault::ValueUnknown), &[Fr::ONE]).unwrap_err();
    assert!(matches!(error, Error::ValueUnknown { column: 1, offset: 1 }), "{error}");
}

#[test]
fn inputs_are_copied_only_into_columns_with_equality_enabled() {
    let error = refusal(Fault::CopyWithoutEquality);
    let column = match &error {
        Error::Synthesis(SynthesisError::Halo2(PlonkError::ColumnNotInPermutation(column))) => column,
        other => panic!("{other}"),
    };
    assert_eq!(column.index(), 1);
}

#[test]
fn a_constant_needs_a_column_enabled_for_constants() {
    let error = refusal(Fault::ConstantWithoutColumn);
    let halo2 = SynthesisError::Halo2(PlonkError::NotEnoughColumnsForConstants);
    assert_eq!(error.to_string(), Error::from(halo2).to_string());
}

#[test]
fn different_constants_cannot_be_tied_together() {
    for fault in [Fault::ConstantsDiffer, Fault::FixedCellsDiffer, Fault::UnassignedIsNotZero] {
        let error = refusal(fault);
        assert!(matches!(error, Error::DifferentConstants { .. }), "{fault:?}: {error}");
    }
}

#[test]
fn a_gate_that_no_values_satisfy_is_named_with_its_row() {
    for fault in [Fault::GateOfConstants, Fault::GateWithoutSelector] {
        let row = if fault == Fault::GateOfConstants { 0 } else { 1 };
        match refusal(fault) {
            Error::NeverSatisfied { gate, constraint, row: at } => {
                assert_eq!((gate.as_str(), constraint.as_str(), at), ("one", "a = 1", row));
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_lookup_of_constants_is_checked_at_set_up() {
    let error = refusal(Fault::LookupOfConstants);
    assert!(matches!(&error, Error::NeverInTable { lookup, row: 0 } if lookup == "known"), "{error}");
}

#[test]
fn a_table_with_witness_cells_is_refused() {
    let error = refusal(Fault::DynamicTable);
    assert!(matches!(&error, Error::DynamicTable { lookup, row: 0 } if lookup == "known"), "{error}");
}

#[test]
fn an_output_has_to_be_a_cell_of_the_step() {
    assert!(matches!(refusal(Fault::OutputOfNowhere), Error::OutputNotAssigned(0)));
}

#[test]
fn tables_are_refused_as_by_the_front_end() {
    assert!(matches!(table_refusal(Fault::TableWithHole), TableError::ColumnNotAssigned(_)));
    for fault in [Fault::TableTwice, Fault::FixedInTable, Fault::ConstantInTable] {
        assert!(matches!(table_refusal(fault), TableError::UsedColumn(_)));
    }
    assert!(matches!(table_refusal(Fault::TableUneven), TableError::UnevenColumnLengths((_, 2), (_, 1))));
}

#[test]
fn reports_what_the_circuit_refuses_in_its_words() {
    assert!(refusal(Fault::Refuses).to_string().contains("no such input"));
    let error = Faulty::new(Fault::Refuses).process_step(&[Fr::ONE], 17).unwrap_err();
    assert!(error.to_string().contains("no such input"), "{error}");
}
