//! Whether a computation's proof holds, all of it checked.

use halo2curves::ff::Field as _;

use super::half::Half;
use super::parameters::Parameters;
use super::state::{Running, State};
use crate::commitment::Curve;
use crate::gadgets::ecc::NativeCurve;
use crate::gadgets::pack_limbs;
use crate::ivc::commitments::{fits, opens};
use crate::ivc::hashing::HashedState;
use crate::ivc::oracles::Use;
use crate::ivc::{Error, Refusal, Side};
use crate::poseidon::CircuitOracleFor;
use crate::relation::Layout;

impl<C1, C2, RO1, RO2> Parameters<'_, C1, C2, RO1, RO2>
where
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    /// Checks both state hashes, the last secondary instance strictly, and both accumulators.
    ///
    /// # Errors
    /// [`Error::Refused`] names the first check that failed.
    pub(super) fn verify(&self, state: &State<C1, C2>) -> Result<(), Error> {
        if state.steps == 0 {
            return Err(Refusal::NoSteps.into());
        }
        self.check_shapes(state)?;
        if state.last.instance.publics != self.state_hashes(state) {
            return Err(Refusal::StateHash.into());
        }
        self.check_last(state)?;
        check_running(Side::Primary, &self.primary, &state.primary_running)?;
        check_running(Side::Secondary, &self.secondary, &state.secondary_running)
    }

    fn check_shapes(&self, state: &State<C1, C2>) -> Result<(), Refusal> {
        let layout = self.secondary.relation.layout();
        let shapes = [
            ("primary input", state.primary_start.len() == self.primary.step.arity),
            ("primary output", state.primary.len() == self.primary.step.arity),
            ("secondary input", state.secondary_start.len() == self.secondary.step.arity),
            ("secondary output", state.secondary.len() == self.secondary.step.arity),
            ("last instance", fits(&state.last.instance, layout)),
            ("last instance's vector", state.last.vector.len() == layout.len()),
            ("primary accumulator", runs(&self.primary, &state.primary_running)),
            ("secondary accumulator", runs(&self.secondary, &state.secondary_running)),
        ];
        shapes.into_iter().find(|(_, fits)| !fits).map_or(Ok(()), |(what, _)| Err(Refusal::Shape(what)))
    }

    /// The public inputs that the last instance has to have: the primary's hash, packed, and the secondary's.
    fn state_hashes(&self, state: &State<C1, C2>) -> Vec<C2::ScalarExt> {
        let (parameters, secondary_parameters) = self.digests();
        let first = self.primary.circuit(self.limbs, self.secondary.relation.layout().challenges).relaxed;
        let primary = HashedState {
            parameters,
            steps: C1::ScalarExt::from(state.steps),
            primary_start: state.primary_start.clone(),
            primary: state.primary.clone(),
            secondary_start: Vec::new(),
            secondary: Vec::new(),
        };
        let digest = first.digest_of(&state.secondary_running.accumulator);
        let hash = primary.digest([&digest], &mut self.primary.oracles.values(Use::State));
        let second = self.secondary.circuit(self.limbs, self.primary.relation.layout().challenges).relaxed;
        let secondary = HashedState {
            parameters: secondary_parameters,
            steps: C2::ScalarExt::from(state.steps),
            primary_start: state.secondary_start.clone(),
            primary: state.secondary.clone(),
            secondary_start: Vec::new(),
            secondary: Vec::new(),
        };
        let digest = second.digest_of(&state.primary_running.accumulator);
        let own = secondary.digest([&digest], &mut self.secondary.oracles.values(Use::State));
        pack_limbs(&hash, self.limbs).into_iter().chain([own]).collect()
    }

    /// The last instance satisfies the circuit itself: it is in no accumulator.
    fn check_last(&self, state: &State<C1, C2>) -> Result<(), Error> {
        let (instance, vector) = (&state.last.instance, &state.last.vector);
        let layout = self.secondary.relation.layout();
        let relaxed = self.primary.circuit(self.limbs, layout.challenges).relaxed;
        if relaxed.challenges_of(self.digests().0, instance) != instance.challenges {
            return Err(Refusal::Challenges.into());
        }
        if vector[Layout::ONE] != C2::ScalarExt::ONE || !opens(self.secondary.key, layout, instance, vector)?
        {
            return Err(Refusal::Commitment("last instance").into());
        }
        if !self.secondary.relation.violations(vector, 1).is_empty() {
            return Err(Refusal::LastInstance.into());
        }
        Ok(())
    }
}

fn runs<C: Curve, RO: CircuitOracleFor<C::ScalarExt>>(half: &Half<'_, C, RO>, running: &Running<C>) -> bool {
    let layout = half.relation.layout();
    fits(&running.accumulator.instance, layout)
        && running.witness.vector.len() == layout.len()
        && running.witness.error.len() == half.relaxed.relation().numbers()
}

fn check_running<C: Curve, RO: CircuitOracleFor<C::ScalarExt>>(
    side: Side,
    half: &Half<'_, C, RO>,
    running: &Running<C>,
) -> Result<(), Error> {
    let (accumulator, witness) = (&running.accumulator, &running.witness);
    let layout = half.relation.layout();
    let (commitment, claim) = match side {
        Side::Primary => ("primary accumulator", Refusal::PrimaryAccumulator),
        Side::Secondary => ("secondary accumulator", Refusal::SecondaryAccumulator),
    };
    if !opens(half.key, layout, &accumulator.instance, &witness.vector)?
        || half.key.commit(&witness.error)? != accumulator.error
    {
        return Err(Refusal::Commitment(commitment).into());
    }
    if !accumulator.claim_holds(&half.relaxed, &witness.vector, &witness.error) {
        return Err(claim.into());
    }
    Ok(())
}
