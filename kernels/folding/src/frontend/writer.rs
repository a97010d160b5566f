//! Writes the values that a circuit assigns into the witness of a step.

mod assignments;
mod rationals;

use halo2curves::ff::PrimeField;
use midnight_proofs::plonk;

use super::classes::Target;
use super::digest::LayoutDigest;
use super::error::Error;
use super::operand::OperandId;
use super::tape::Tape;
use super::witness::Conflict;
use rationals::Rationals;

/// Writes values in one pass, in the order of the tape. Every closure of the circuit is called once.
#[derive(Debug)]
pub(super) struct Writer<'a, F: PrimeField> {
    tape: &'a Tape<F>,
    /// Values of the variables defined so far.
    values: Vec<F>,
    conflicts: Vec<Conflict<F>>,
    rationals: Rationals<F>,
    assigned: usize,
    given: usize,
    regions: usize,
    /// Whether a call differed from the tape's, which the end of the region reports.
    changed: bool,
    failure: Option<Error>,
}

/// The conflicts that are recorded; later ones say nothing that these do not.
const CONFLICTS_MAX: usize = 64;

impl<'a, F: PrimeField> Writer<'a, F> {
    pub(super) fn new(tape: &'a Tape<F>) -> Self {
        Self {
            tape,
            values: Vec::with_capacity(tape.variables as usize),
            conflicts: Vec::new(),
            rationals: Rationals::default(),
            assigned: 0,
            given: 0,
            regions: 0,
            changed: false,
            failure: None,
        }
    }

    /// The values of all variables, and the cells whose values are other than those of cells tied to them.
    ///
    /// `digest` is that of the layout; `outcome` is what the circuit returned.
    pub(super) fn finish<T>(
        mut self,
        digest: LayoutDigest,
        outcome: Result<T, impl Into<Error>>,
    ) -> Result<(Vec<F>, Vec<Conflict<F>>), Error> {
        if let Some(error) = self.failure {
            return Err(error);
        }
        outcome.map_err(Into::into)?;
        if let Some(region) = self.tape.regions.get(self.regions) {
            return Err(Error::LayoutChanged(region.name.clone()));
        }
        if digest != self.tape.digest {
            return Err(Error::LayoutChanged("outputs of the step".into()));
        }
        for (assignment, value) in std::mem::take(&mut self.rationals).evaluate(&mut self.values) {
            if let Target::Compare(with) = self.tape.targets[assignment] {
                self.compare(assignment, with, value);
            }
        }
        Ok((self.values, self.conflicts))
    }

    fn fail(&mut self, error: Error) -> plonk::Error {
        let reported = plonk::Error::Synthesis(error.to_string());
        self.failure.get_or_insert(error);
        reported
    }

    fn change(&mut self) -> plonk::Error {
        self.changed = true;
        plonk::Error::Synthesis("the layout is not that of set-up".into())
    }

    fn compare(&mut self, assignment: usize, with: OperandId, value: F) {
        let expected = self.tape.constants.value(with, &self.values);
        if value != expected && self.conflicts.len() < CONFLICTS_MAX {
            self.conflicts.push(Conflict { cell: self.tape.cells[assignment], value, expected });
        }
    }

    /// Holds a value that is given again against that of set-up.
    fn expect_given(&mut self, value: F) -> Result<(), plonk::Error> {
        let expected = self.tape.given.get(self.given);
        self.given += 1;
        if expected == Some(&value) { Ok(()) } else { Err(self.change()) }
    }
}
