//! A prover that lies about some variables, and computes all that follows from them as an honest one does.

use std::collections::HashMap;

use halo2curves::ff::PrimeField;

use super::{Circuit, Variable};

impl<F: PrimeField> Circuit<F> {
    /// A circuit that assigns these values to these variables, whatever the code that builds it says.
    pub(crate) fn lying(lies: HashMap<Variable, F>) -> Self {
        let mut circuit = Self::assigned();
        circuit.lies = lies;
        circuit
    }

    /// The value of a variable that is being made.
    pub(super) fn told(&self, variable: Variable, value: F) -> F {
        self.lies.get(&variable).copied().unwrap_or(value)
    }

    /// Lies about the variables of a round from this one on.
    pub(super) fn tell_from(&mut self, round: usize, first: u32) {
        if self.lies.is_empty() {
            return;
        }
        let number = u8::try_from(round).expect("a round");
        for (value, index) in self.rounds[round][first as usize..].iter_mut().zip(first..) {
            if let Some(lie) = self.lies.get(&Variable::Witness(number, index)) {
                *value = *lie;
            }
        }
    }
}
