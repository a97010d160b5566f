//! The circuit of either side: checks the state that it is given, folds the other side's last instance, runs the step, and
//! exposes the hash of its next state and the hash that the other side exposed.

use halo2curves::ff::{Field as _, PrimeField};

use crate::circuit::{Circuit, Linear, PlacedStep};
use crate::cross_term;
use crate::cross_term::in_circuit::{CircuitAccumulator, CircuitInstance};
use crate::gadgets::ecc::{NativeCurve, Point};
use crate::gadgets::{LimbParameters, NonNative};
use crate::ivc::assigned::{Form, last_witnesses, witnesses};
use crate::ivc::hashing::HashedState;
use crate::ivc::oracles::Use;
use crate::ivc::relaxed::{FoldInputs, Relaxed};
use crate::ivc::step::StepValues;
use crate::poseidon::CircuitOracleFor;
use crate::relation::Instance;

/// What does not change from one execution to the next.
pub(super) struct Augmented<'a, F: PrimeField, RO: CircuitOracleFor<F>> {
    /// The oracle, the limbs, and what is done with the other side's instances.
    pub(super) relaxed: Relaxed<'a, F, RO>,
    /// Whether the first execution folds: the side that goes second has an instance of the other's to fold by then.
    pub(super) folds_first: bool,
}

/// One execution's inputs. `C` is the curve that the other side is committed to on.
pub(super) struct Inputs<'a, C: NativeCurve> {
    /// The digest of the public parameters.
    pub(super) parameters: C::Base,
    pub(super) steps: u64,
    pub(super) start: &'a [C::Base],
    pub(super) z: &'a [C::Base],
    pub(super) accumulator: &'a cross_term::Accumulator<C>,
    pub(super) latest: &'a Instance<C>,
    pub(super) terms: &'a [C],
    pub(super) step: StepValues<'a, C::Base>,
}

impl<F: PrimeField, RO: CircuitOracleFor<F>> Augmented<'_, F, RO> {
    /// Builds the circuit. Its public inputs are the other side's last hash, packed, and the hash of this side's next state.
    pub(super) fn build<C: NativeCurve<Base = F>>(
        &self,
        circuit: &mut Circuit<F>,
        inputs: &Inputs<'_, C>,
    ) -> PlacedStep<F> {
        let parameters = circuit.witness(inputs.parameters);
        let steps = circuit.witness(F::from(inputs.steps));
        let start = witnesses(circuit, inputs.start);
        let z = witnesses(circuit, inputs.z);
        let z_variables = last_witnesses(circuit, z.len());
        let base = circuit.is_zero(&steps);
        for (z, start) in z.iter().zip(&start) {
            circuit.enforce_product(&base, &(z - start), &Linear::zero());
        }

        let accumulator = self.relaxed.assign(circuit, inputs.accumulator, &base);
        let digest = self.relaxed.digest(circuit, &accumulator);
        let state = |steps: Linear<F>, z: &[Linear<F>]| HashedState {
            parameters: parameters.clone(),
            steps,
            primary_start: start.clone(),
            primary: z.to_vec(),
            secondary_start: Vec::new(),
            secondary: Vec::new(),
        };
        let claimed = self.hash(circuit, &state(steps.clone(), &z), &digest);

        let latest = self.latest(circuit, inputs);
        let (hash_of_other, passed) =
            latest.publics.split_last().expect("a side exposes the hash of its state");
        let not_base = &Linear::one() - &base;
        let passed = unpacked(passed, self.relaxed.limbs);
        circuit.enforce_product(&not_base, &(&passed - &claimed), &Linear::zero());
        let passes = hash_of_other.pack();

        let folded = self.relaxed.fold(circuit, (&parameters, &digest), &accumulator, latest);
        let next =
            if self.folds_first { folded } else { unless(circuit, &base, &folded, self.relaxed.limbs) };
        let step = inputs.step;
        let (placed, z_next) = circuit.step(step.shape, z_variables, step.values, step.multiplicities);
        let digest = self.relaxed.digest(circuit, &next);
        let hash = self.hash(circuit, &state(&steps + &Linear::one(), &z_next), &digest);
        for exposed in passes.iter().chain([&hash]) {
            let public = circuit.public(exposed.value());
            circuit.enforce_equal(&public, exposed);
        }
        placed
    }

    fn latest<C: NativeCurve<Base = F>>(
        &self,
        circuit: &mut Circuit<F>,
        inputs: &Inputs<'_, C>,
    ) -> FoldInputs<C> {
        let points = |circuit: &mut Circuit<F>, points: &[C]| -> Vec<_> {
            points.iter().map(|point| Point::assign(circuit, *point)).collect()
        };
        FoldInputs {
            commitments: points(circuit, &inputs.latest.commitments),
            publics: self.relaxed.non_native_all(circuit, &inputs.latest.publics, Form::Canonical),
            terms: points(circuit, inputs.terms),
        }
    }

    fn hash(
        &self,
        circuit: &mut Circuit<F>,
        state: &HashedState<Linear<F>>,
        accumulator: &Linear<F>,
    ) -> Linear<F> {
        state.digest([accumulator], &mut self.relaxed.oracles.in_circuit(circuit, Use::State))
    }
}

/// The element that was packed into these.
fn unpacked<F: PrimeField, N: PrimeField>(parts: &[NonNative<F, N>], limbs: LimbParameters) -> Linear<F> {
    let shift = F::from(2).pow_vartime([limbs.packed_bits() as u64]);
    let natives: Vec<_> = parts.iter().map(NonNative::native).collect();
    let factors = std::iter::successors(Some(F::ONE), |factor| Some(*factor * shift));
    Linear::sum(natives.iter().zip(factors))
}

/// The accumulator, or the empty one where `base` is 1.
fn unless<C: NativeCurve>(
    circuit: &mut Circuit<C::Base>,
    base: &Linear<C::Base>,
    accumulator: &CircuitAccumulator<C>,
    limbs: LimbParameters,
) -> CircuitAccumulator<C> {
    let identity = Point::constant(C::identity());
    let zero = NonNative::constant(C::ScalarExt::ZERO, limbs);
    let mut scalars = |scalars: &[NonNative<_, _>]| -> Vec<_> {
        scalars.iter().map(|scalar| NonNative::choose(circuit, base, &zero, scalar)).collect()
    };
    let own = &accumulator.instance;
    let (publics, challenges) = (scalars(&own.publics), scalars(&own.challenges));
    let scale = NonNative::choose(circuit, base, &zero, &accumulator.scale);
    let commitments =
        own.commitments.iter().map(|point| Point::choose(circuit, base, &identity, point)).collect();
    let error = Point::choose(circuit, base, &identity, &accumulator.error);
    CircuitAccumulator { instance: CircuitInstance { commitments, publics, challenges }, scale, error }
}
