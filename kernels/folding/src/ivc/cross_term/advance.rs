//! One execution: the primary side, then the secondary, which folds what the primary just made.

use super::circuit::Inputs;
use super::half::Half;
use super::parameters::Parameters;
use super::state::{Last, Running, State};
use crate::circuit::Circuit;
use crate::commitment::Curve;
use crate::cross_term;
use crate::gadgets::LimbParameters;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::Error;
use crate::ivc::commitments::commit;
use crate::ivc::step::StepValues;
use crate::poseidon::CircuitOracleFor;

/// A step's values, and what it computed.
pub(super) struct Stepped<'a, F> {
    pub(super) values: StepValues<'a, F>,
    pub(super) z_next: Vec<F>,
}

impl<C1, C2, RO1, RO2> Parameters<'_, C1, C2, RO1, RO2>
where
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    /// The state after one more execution, of these steps. On an error the state is as it was.
    pub(super) fn advance(
        &self,
        state: &mut State<C1, C2>,
        primary: Stepped<'_, C1::ScalarExt>,
        secondary: Stepped<'_, C2::ScalarExt>,
    ) -> Result<(), Error> {
        let first = Side { own: &self.primary, other: &self.secondary, limbs: self.limbs };
        let second = Side { own: &self.secondary, other: &self.primary, limbs: self.limbs };
        let digests = self.digests();
        let (secondary_running, made) = first.execute(
            digests,
            (state.steps, &state.primary_start, &state.primary),
            (&state.secondary_running, &state.last),
            primary.values,
        )?;
        let (primary_running, last) = second.execute(
            (digests.1, digests.0),
            (state.steps, &state.secondary_start, &state.secondary),
            (&state.primary_running, &made),
            secondary.values,
        )?;
        state.steps += 1;
        state.primary = primary.z_next;
        state.secondary = secondary.z_next;
        state.primary_running = primary_running;
        state.secondary_running = secondary_running;
        state.last = last;
        Ok(())
    }
}

/// A side next to the other.
struct Side<'a, 'key, C: Curve, D: Curve, RO, ROther>
where
    RO: CircuitOracleFor<C::ScalarExt>,
    ROther: CircuitOracleFor<D::ScalarExt>,
{
    own: &'a Half<'key, C, RO>,
    other: &'a Half<'key, D, ROther>,
    limbs: LimbParameters,
}

impl<C, D, RO, ROther> Side<'_, '_, C, D, RO, ROther>
where
    C: Curve + NativeCurve<Base = D::ScalarExt, ScalarExt = D::Base>,
    D: Curve + NativeCurve,
    RO: CircuitOracleFor<C::ScalarExt>,
    ROther: CircuitOracleFor<D::ScalarExt>,
{
    /// Folds the other side's last instance, and makes an instance of this side that proves it.
    fn execute(
        &self,
        (digest, other_digest): (C::ScalarExt, D::ScalarExt),
        (steps, start, z): (u64, &[C::ScalarExt], &[C::ScalarExt]),
        (running, last): (&Running<D>, &Last<D>),
        step: StepValues<'_, C::ScalarExt>,
    ) -> Result<(Running<D>, Last<C>), Error> {
        let challenges = self.other.relation.layout().challenges;
        let circuit = self.own.circuit(self.limbs, challenges);
        let (folded, terms) = if steps > 0 || self.own.folds_first {
            let mut witness = running.witness.clone();
            let (proof, challenge) = cross_term::prove(
                &self.other.relaxed,
                &mut witness,
                &last.vector,
                |terms| self.other.key.commit_each(terms),
                |terms| {
                    circuit.relaxed.challenge_of_fold(digest, &running.accumulator, &last.instance, terms)
                },
            )?;
            let accumulator = cross_term::verify(
                self.other.relaxed.terms(),
                &running.accumulator,
                &last.instance,
                &proof,
                challenge,
            );
            let accumulator = accumulator.expect("instances are made in the shape of the parameters");
            (Running { accumulator, witness }, proof.terms)
        } else {
            (running.clone(), vec![D::identity(); self.other.relaxed.terms()])
        };
        let inputs = Inputs {
            parameters: digest,
            steps,
            start,
            z,
            accumulator: &running.accumulator,
            latest: &last.instance,
            terms: &terms,
            step,
        };
        let mut assigned = Circuit::assigned();
        let placed = circuit.build(&mut assigned, &inputs);
        let layout = self.own.relation.layout();
        let relaxed = self.other.circuit(self.limbs, layout.challenges).relaxed;
        let (instance, vector) = commit(self.own.key, layout, &assigned, &placed, |instance| {
            relaxed.challenges_of(other_digest, instance)
        })?;
        Ok((folded, Last { instance, vector }))
    }
}
