//! The witness of a dishonest prover: some variables have values that it chose, and all that follows from them is computed as an
//! honest prover does.

use std::collections::HashMap;

use halo2curves::ff::PrimeField;

use super::{Circuit, Variable};

impl<F: PrimeField> Circuit<F> {
    /// A circuit that assigns these values to these variables, whatever the code that builds it says.
    pub(crate) fn with_overrides(overrides: HashMap<Variable, F>) -> Self {
        let mut circuit = Self::assigned();
        circuit.overrides = overrides;
        circuit
    }

    /// The value of a variable that is being assigned.
    pub(super) fn overridden(&self, variable: Variable, value: F) -> F {
        self.overrides.get(&variable).copied().unwrap_or(value)
    }

    /// Overrides the variables of a round from this one on.
    pub(super) fn override_from(&mut self, round: usize, first: u32) {
        if self.overrides.is_empty() {
            return;
        }
        let number = u8::try_from(round).expect("a round");
        for (value, index) in self.rounds[round][first as usize..].iter_mut().zip(first..) {
            if let Some(other) = self.overrides.get(&Variable::Witness(number, index)) {
                *value = *other;
            }
        }
    }
}
