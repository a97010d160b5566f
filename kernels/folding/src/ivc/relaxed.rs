//! An accumulator of the other curve in a circuit: its points are native, its scalars are not. Assigned, hashed, and folded
//! by cross terms.

use halo2curves::ff::PrimeField;

use super::assigned::{Form, non_native, packed};
use super::hashing::{HashedInstance, HashedSecondary};
use super::oracles::{Oracles, Use, absorb_challenges, absorb_fold};
use crate::circuit::{Circuit, Linear};
use crate::cross_term;
use crate::cross_term::in_circuit::{CircuitAccumulator, CircuitInstance};
use crate::gadgets::ecc::{NativeCurve, Point};
use crate::gadgets::{LimbParameters, NonNative, Short, ShortLimbs};
use crate::poseidon::{CircuitOracleFor, Transcript as _};

mod values;

/// How a circuit handles instances of the other curve.
pub(super) struct Relaxed<'a, F: PrimeField, RO: CircuitOracleFor<F>> {
    pub(super) oracles: &'a Oracles<F, RO>,
    pub(super) limbs: LimbParameters,
    /// Challenges of an instance.
    pub(super) challenges: usize,
}

/// What a fold adds: an instance whose challenges are still to be computed, and the commitments to cross terms.
pub(super) struct FoldInputs<C: NativeCurve> {
    pub(super) commitments: Vec<Point<C>>,
    pub(super) publics: Vec<NonNative<C::Base, C::ScalarExt>>,
    pub(super) terms: Vec<Point<C>>,
}

impl<F: PrimeField, RO: CircuitOracleFor<F>> Relaxed<'_, F, RO> {
    /// Elements of the other field.
    pub(super) fn non_native_all<N: PrimeField>(
        &self,
        circuit: &mut Circuit<F>,
        values: &[N],
        form: Form,
    ) -> Vec<NonNative<F, N>> {
        values.iter().map(|value| non_native(circuit, *value, self.limbs, form)).collect()
    }

    /// Assigns an accumulator. Where `base` is 1 it has to be the empty one: all of it is 0.
    pub(super) fn assign<C: NativeCurve<Base = F>>(
        &self,
        circuit: &mut Circuit<F>,
        accumulator: &cross_term::Accumulator<C>,
        base: &Linear<F>,
    ) -> CircuitAccumulator<C> {
        let instance = &accumulator.instance;
        let commitments: Vec<_> =
            instance.commitments.iter().map(|point| Point::assign(circuit, *point)).collect();
        let publics = self.non_native_all(circuit, &instance.publics, Form::Fixed);
        let challenges = self.non_native_all(circuit, &instance.challenges, Form::Fixed);
        let scale = non_native(circuit, accumulator.scale, self.limbs, Form::Fixed);
        let error = Point::assign(circuit, accumulator.error);
        let limbs = publics.iter().chain(&challenges).chain([&scale]).flat_map(NonNative::limbs);
        let points = commitments.iter().chain([&error]).flat_map(|point| [point.x(), point.y()]);
        for part in limbs.chain(points) {
            circuit.enforce_product(base, part, &Linear::zero());
        }
        CircuitAccumulator { instance: CircuitInstance { commitments, publics, challenges }, scale, error }
    }

    /// The accumulator after a fold. `parameters` and the digest of the accumulator start its transcript.
    pub(super) fn fold<C: NativeCurve<Base = F>>(
        &self,
        circuit: &mut Circuit<F>,
        (parameters, digest): (&Linear<F>, &Linear<F>),
        accumulator: &CircuitAccumulator<C>,
        latest: FoldInputs<C>,
    ) -> CircuitAccumulator<C> {
        let FoldInputs { commitments, publics, terms } = latest;
        let mut hashed = HashedInstance {
            commitments: native_coordinates(&commitments),
            publics: packed(&publics),
            challenges: Vec::new(),
        };
        let mut challenges = Vec::new();
        if self.challenges > 0 {
            let mut transcript = self.oracles.in_circuit(circuit, Use::SecondaryChallenges);
            absorb_challenges(&mut transcript, parameters, &hashed, 2);
            let drawn = [transcript.squeeze(), transcript.squeeze()];
            challenges = self.non_native_challenges(circuit, &drawn);
            hashed.challenges = packed(&challenges);
        }
        let mut transcript = self.oracles.in_circuit(circuit, Use::CrossTerms);
        absorb_fold(&mut transcript, parameters, digest, &hashed);
        transcript.absorb_all(&native_coordinates(&terms));
        let squeezed = transcript.squeeze();
        let r = Short::low_bits(circuit, &squeezed);
        let instance = CircuitInstance { commitments, publics, challenges };
        cross_term::in_circuit::fold(circuit, accumulator, &instance, &terms, &r, self.limbs)
    }

    /// `r`, then the powers of the one that combines tuples, of two short numbers that were drawn.
    fn non_native_challenges<N: PrimeField>(
        &self,
        circuit: &mut Circuit<F>,
        drawn: &[Linear<F>; 2],
    ) -> Vec<NonNative<F, N>> {
        let [r, combiner] = drawn.each_ref().map(|element| {
            let short = Short::low_bits(circuit, element);
            ShortLimbs::new(circuit, &short, self.limbs)
        });
        let mut challenges = vec![NonNative::from_short(&r), NonNative::from_short(&combiner)];
        let zero = NonNative::constant(N::ZERO, self.limbs);
        while challenges.len() < self.challenges {
            let last = &challenges[challenges.len() - 1];
            challenges.push(zero.add_multiple(circuit, &combiner, last));
        }
        challenges.truncate(self.challenges);
        challenges
    }

    /// The digest of an accumulator.
    pub(super) fn digest<C: NativeCurve<Base = F>>(
        &self,
        circuit: &mut Circuit<F>,
        accumulator: &CircuitAccumulator<C>,
    ) -> Linear<F> {
        let instance = &accumulator.instance;
        let hashed = HashedSecondary {
            instance: HashedInstance {
                commitments: native_coordinates(&instance.commitments),
                publics: packed(&instance.publics),
                challenges: packed(&instance.challenges),
            },
            scale: accumulator.scale.pack(),
            error: native_coordinates(std::slice::from_ref(&accumulator.error)),
        };
        hashed.digest(&mut self.oracles.in_circuit(circuit, Use::SecondaryAccumulator))
    }
}

fn native_coordinates<C: NativeCurve>(points: &[Point<C>]) -> Vec<Linear<C::Base>> {
    points.iter().flat_map(|point| [point.x().clone(), point.y().clone()]).collect()
}
