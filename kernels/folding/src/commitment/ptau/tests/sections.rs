//! Files whose sections are not what their header says.

use super::*;

/// Where sections start in a file that [`write`] wrote, and the length of the header's content.
const HEADER: usize = 12;
const HEADER_LEN: usize = 44;
const TAU_G1: usize = HEADER + 12 + HEADER_LEN;

/// What is wrong with a file of powers that was changed.
fn fault_of(change: impl FnOnce(&mut Vec<u8>)) -> PtauFault {
    let fixture = Fixture::new();
    fixture.load(POWER).unwrap();
    let mut file = fs::read(fixture.path()).unwrap();
    change(&mut file);
    fs::write(fixture.path(), file).unwrap();
    fault(CommitmentKey::from_ptau(&fixture.path(), POWER))
}

/// More sections at the end, empty ones.
fn append(file: &mut Vec<u8>, count: u32, number: u32) {
    file[8..12].copy_from_slice(&(3 + count).to_le_bytes());
    for _ in 0..count {
        file.extend_from_slice(&number.to_le_bytes());
        file.extend_from_slice(&0u64.to_le_bytes());
    }
}

#[test]
fn refuses_a_section_that_is_there_twice() {
    let tau_g2 = TAU_G1 + 12 + 64 * ((2 << POWER) - 1);
    let end = tau_g2 + 12 + (128 << POWER);
    for (number, section) in [(1, HEADER..TAU_G1), (2, TAU_G1..tau_g2), (3, tau_g2..end)] {
        let refused = fault_of(|file| {
            file[8..12].copy_from_slice(&4u32.to_le_bytes());
            file.extend_from_within(section);
        });
        assert_eq!(refused, PtauFault::Section { number });
    }
}

#[test]
fn sections_that_are_not_needed_are_passed_over_up_to_a_number() {
    let fixture = Fixture::new();
    fixture.load(POWER).unwrap();
    let mut file = fs::read(fixture.path()).unwrap();
    append(&mut file, 1021, 4);
    fs::write(fixture.path(), file).unwrap();
    CommitmentKey::from_ptau(&fixture.path(), POWER).unwrap();
    assert_eq!(fault_of(|file| append(file, 1022, 4)), PtauFault::NotPtau);
}

#[test]
fn a_header_without_a_power_is_refused() {
    let refused = fault_of(|file| {
        let power = HEADER + 12 + 36;
        file.drain(power..TAU_G1);
        file[HEADER + 4..HEADER + 12].copy_from_slice(&36u64.to_le_bytes());
    });
    assert_eq!(refused, PtauFault::Section { number: 1 });
}

#[test]
fn refuses_a_section_of_an_incomplete_point() {
    let refused = fault_of(|file| {
        let len = 64 * ((2u64 << POWER) - 1) + 1;
        file[TAU_G1 + 4..TAU_G1 + 12].copy_from_slice(&len.to_le_bytes());
        file.insert(TAU_G1 + 12, 0);
    });
    assert_eq!(refused, PtauFault::Section { number: 2 });
}

#[test]
fn more_powers_than_the_header_names_are_refused() {
    let mut fixture = Fixture::new();
    fixture.tau_g1.push(G1Affine::generator());
    assert_eq!(fixture.fault(POWER), PtauFault::Section { number: 2 });
    let mut fixture = Fixture::new();
    fixture.tau_g2.push(G2Affine::generator());
    assert_eq!(fixture.fault(POWER), PtauFault::Section { number: 3 });
}
