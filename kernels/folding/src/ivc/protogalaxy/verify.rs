//! Whether a computation's proof holds, all of it checked.

use halo2curves::ff::Field as _;

use super::parameters::Parameters;
use super::state::State;
use crate::commitment::Curve;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::commitments::{fits, opens};
use crate::ivc::{Error, Refusal};
use crate::poseidon::CircuitOracleFor;
use crate::relation::Layout;

impl<C1, C2, RO> Parameters<'_, C1, C2, RO>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    RO: CircuitOracleFor<C1::ScalarExt>,
{
    /// Checks the state hash, the last instance strictly, and both accumulators.
    ///
    /// # Errors
    /// [`Error::Refused`] names the first check that failed.
    pub(super) fn verify(&self, state: &State<C1, C2>) -> Result<(), Error> {
        if state.steps == 0 {
            return Err(Refusal::NoSteps.into());
        }
        self.check_shapes(state)?;
        if state.latest.publics[0] != self.hashes.state_hash(state) {
            return Err(Refusal::StateHash.into());
        }
        self.check_last(state)?;
        // With one step nothing was folded: the accumulator is that of zeros, and claims nothing of the computation.
        if state.steps > 1 {
            self.check_primary(state)?;
        }
        self.check_secondary(state)
    }

    fn check_shapes(&self, state: &State<C1, C2>) -> Result<(), Refusal> {
        let (primary, secondary) = (&self.primary.relation, &self.secondary.relation);
        let shapes = [
            ("primary input", state.primary_start.len() == self.primary.step.arity),
            ("primary output", state.primary.len() == self.primary.step.arity),
            ("secondary input", state.secondary_start.len() == self.secondary.step.arity),
            ("secondary output", state.secondary.len() == self.secondary.step.arity),
            ("last instance", fits(&state.latest, primary.layout())),
            ("last instance's vector", state.latest_vector.len() == primary.layout().len()),
            ("primary accumulator", fits(&state.accumulator.instance, primary.layout())),
            ("primary accumulator's betas", state.accumulator.betas.len() == self.primary.fold.betas),
            (
                "primary accumulator's vector",
                state.steps == 1 || state.accumulator_vector.len() == primary.layout().len(),
            ),
            ("secondary accumulator", fits(&state.secondary_accumulator.instance, secondary.layout())),
            (
                "secondary accumulator's vector",
                state.secondary_witness.vector.len() == secondary.layout().len(),
            ),
            (
                "secondary accumulator's error",
                state.secondary_witness.error.len() == self.secondary.relaxed.relation().numbers(),
            ),
        ];
        shapes.into_iter().find(|(_, fits)| !fits).map_or(Ok(()), |(what, _)| Err(Refusal::Shape(what)))
    }

    /// The last instance satisfies the circuit itself: it is in no accumulator.
    fn check_last(&self, state: &State<C1, C2>) -> Result<(), Error> {
        let (instance, vector) = (&state.latest, &state.latest_vector);
        if self.hashes.primary_challenges(instance) != instance.challenges {
            return Err(Refusal::Challenges.into());
        }
        let layout = self.primary.relation.layout();
        if vector[Layout::ONE] != C1::ScalarExt::ONE || !opens(self.primary.key, layout, instance, vector)? {
            return Err(Refusal::Commitment("last instance").into());
        }
        if !self.primary.relation.violations(vector, 1).is_empty() {
            return Err(Refusal::LastInstance.into());
        }
        Ok(())
    }

    fn check_primary(&self, state: &State<C1, C2>) -> Result<(), Error> {
        let (accumulator, vector) = (&state.accumulator, &state.accumulator_vector);
        let layout = self.primary.relation.layout();
        if vector[Layout::ONE] != C1::ScalarExt::ONE
            || !opens(self.primary.key, layout, &accumulator.instance, vector)?
        {
            return Err(Refusal::Commitment("primary accumulator").into());
        }
        if !accumulator.claim_holds(&self.primary.relation, vector) {
            return Err(Refusal::PrimaryAccumulator.into());
        }
        Ok(())
    }

    fn check_secondary(&self, state: &State<C1, C2>) -> Result<(), Error> {
        let (accumulator, witness) = (&state.secondary_accumulator, &state.secondary_witness);
        let (key, layout) = (self.secondary.key, self.secondary.relation.layout());
        if !opens(key, layout, &accumulator.instance, &witness.vector)?
            || key.commit(&witness.error)? != accumulator.error
        {
            return Err(Refusal::Commitment("secondary accumulator").into());
        }
        if !accumulator.claim_holds(&self.secondary.relaxed, &witness.vector, &witness.error) {
            return Err(Refusal::SecondaryAccumulator.into());
        }
        Ok(())
    }
}
