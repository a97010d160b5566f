//! Instances and accumulators in the primary circuit: native scalars and points as they are, those of the other field in
//! limbs.

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;

use super::encode::coordinates;
use super::hashing::{HashedInstance, HashedPrimary};
use crate::circuit::{Circuit, Linear, Variable};
use crate::gadgets::{LimbParameters, NonNative};
use crate::protogalaxy::in_circuit::Scalars;
use crate::relation::Instance;

/// Coordinates of a point of the primary curve.
pub(super) type NonNativePoint<F, N> = [NonNative<F, N>; 2];

/// How an element of the other field is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A hash that is compared with an earlier one fixes the limbs: it is enough that they are in range.
    Fixed,
    /// The prover chooses the element here: it has to be below the modulus.
    Canonical,
}

/// An instance on the primary curve.
#[derive(Clone, Debug)]
pub(super) struct PrimaryInstance<F, N> {
    pub(super) commitments: Vec<NonNativePoint<F, N>>,
    pub(super) publics: Vec<Linear<F>>,
    pub(super) challenges: Vec<Linear<F>>,
}

pub(super) fn non_native<F: PrimeField, N: PrimeField>(
    circuit: &mut Circuit<F>,
    value: N,
    limbs: LimbParameters,
    form: Form,
) -> NonNative<F, N> {
    match form {
        Form::Fixed => NonNative::assign(circuit, value, limbs),
        Form::Canonical => NonNative::assign_canonical(circuit, value, limbs),
    }
}

pub(super) fn non_native_point<C: CurveAffine>(
    circuit: &mut Circuit<C::ScalarExt>,
    point: &C,
    limbs: LimbParameters,
    form: Form,
) -> NonNativePoint<C::ScalarExt, C::Base> {
    coordinates(point).map(|value| non_native(circuit, value, limbs, form))
}

pub(super) fn witnesses<F: PrimeField>(circuit: &mut Circuit<F>, values: &[F]) -> Vec<Linear<F>> {
    values.iter().map(|value| circuit.witness(*value)).collect()
}

/// The variables that were assigned last in the first round.
pub(super) fn last_witnesses<F: PrimeField>(circuit: &Circuit<F>, count: usize) -> Vec<Variable> {
    let end = circuit.layout().rounds[0];
    (end - count..end)
        .map(|index| {
            Variable::Witness(0, u32::try_from(index).expect("a circuit has fewer than 2^32 variables"))
        })
        .collect()
}

/// The packed limbs of several elements.
pub(super) fn packed<'a, F: PrimeField, N: PrimeField>(
    elements: impl IntoIterator<Item = &'a NonNative<F, N>>,
) -> Vec<Linear<F>> {
    elements.into_iter().flat_map(NonNative::pack).collect()
}

impl<F: PrimeField, N: PrimeField> PrimaryInstance<F, N> {
    /// Assigns commitments and public inputs; challenges are for the caller to compute.
    pub(super) fn assign<C: CurveAffine<ScalarExt = F, Base = N>>(
        circuit: &mut Circuit<F>,
        instance: &Instance<C>,
        limbs: LimbParameters,
        form: Form,
    ) -> Self {
        let commitments =
            instance.commitments.iter().map(|point| non_native_point(circuit, point, limbs, form)).collect();
        Self { commitments, publics: witnesses(circuit, &instance.publics), challenges: Vec::new() }
    }

    pub(super) fn hashed(&self) -> HashedInstance<Linear<F>> {
        hashed_primary_instance(&self.commitments, &self.publics, &self.challenges)
    }
}

fn hashed_primary_instance<F: PrimeField, N: PrimeField>(
    commitments: &[NonNativePoint<F, N>],
    publics: &[Linear<F>],
    challenges: &[Linear<F>],
) -> HashedInstance<Linear<F>> {
    HashedInstance {
        commitments: packed(commitments.iter().flatten()),
        publics: publics.to_vec(),
        challenges: challenges.to_vec(),
    }
}

/// A primary accumulator.
pub(super) fn hashed_primary<F: PrimeField, N: PrimeField>(
    commitments: &[NonNativePoint<F, N>],
    scalars: &Scalars<F>,
) -> HashedPrimary<Linear<F>> {
    HashedPrimary {
        instance: hashed_primary_instance(commitments, &scalars.publics, &scalars.challenges),
        betas: scalars.betas.clone(),
        error: scalars.error.clone(),
    }
}
