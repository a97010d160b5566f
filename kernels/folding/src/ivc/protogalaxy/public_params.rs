//! Public parameters: both step circuits laid out, and all that proofs of them are made and checked with.

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::parameters::Parameters;
use crate::commitment::Curve;
use crate::frontend::{StepCircuit, StepSetup};
use crate::gadgets::LimbParameters;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::circuit_input::{CircuitPublicParamsInput, setup, warn_of_few_rounds};
use crate::ivc::digest::table_digest;
use crate::ivc::oracles::Oracles;
use crate::ivc::{Error, Side};
use crate::poseidon::{CircuitOracleFor, RandomOracleFor};

/// The public parameters of a computation.
///
/// `A1` and `A2` are the arities of the two step circuits, `MAIN_GATE_SIZE` how many S-boxes a row of the verifier's circuit
/// takes, `C1` and `C2` the curves, `RO1` and `RO2` the random oracles. Proofs are of these parameters alone: their digest
/// covers both circuits, the oracles, the limbs and the keys.
pub struct PublicParams<
    'key,
    const A1: usize,
    const A2: usize,
    const MAIN_GATE_SIZE: usize,
    C1,
    C2,
    SC1,
    SC2,
    RO1,
    RO2,
> where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    SC1: StepCircuit<A1, C1::ScalarExt>,
    SC2: StepCircuit<A2, C2::ScalarExt>,
    RO1: CircuitOracleFor<C1::ScalarExt>,
{
    pub(super) parameters: Parameters<'key, C1, C2, RO1>,
    pub(super) primary: StepSetup<A1, C1::ScalarExt, SC1>,
    pub(super) secondary: StepSetup<A2, C2::ScalarExt, SC2>,
    k_table_sizes: [u32; 2],
    _secondary_oracle: PhantomData<RO2>,
}

impl<'key, const A1: usize, const A2: usize, const MAIN_GATE_SIZE: usize, C1, C2, SC1, SC2, RO1, RO2>
    PublicParams<'key, A1, A2, MAIN_GATE_SIZE, C1, C2, SC1, SC2, RO1, RO2>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    SC1: StepCircuit<A1, C1::ScalarExt>,
    SC2: StepCircuit<A2, C2::ScalarExt>,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: RandomOracleFor<C2::ScalarExt>,
{
    /// Lays both circuits out, which fixes the structure of all steps.
    ///
    /// Elements of the other field take limbs of `limb_width` bits, at most `limbs_count_limit` of them. Oracles of fewer rounds
    /// than the reference has are taken with a warning on standard error.
    ///
    /// # Errors
    /// When a circuit cannot be folded, a table is too small, limbs or the main gate cannot work, or a key is too small; the
    /// last says which size is needed.
    ///
    /// # Panics
    /// When a step circuit has instance columns.
    pub fn new(
        primary: CircuitPublicParamsInput<'key, '_, C1, SC1, RO1::Constants>,
        secondary: CircuitPublicParamsInput<'key, '_, C2, SC2, RO2::Constants>,
        limb_width: NonZeroUsize,
        limbs_count_limit: NonZeroUsize,
    ) -> Result<Self, Error> {
        let limbs =
            LimbParameters::new::<C1::ScalarExt, C1::Base>(limb_width.get(), limbs_count_limit.get())?;
        if MAIN_GATE_SIZE == 0 {
            return Err(Error::MainGate);
        }
        warn_of_few_rounds([
            RO1::is_below_reference(&primary.ro_constant),
            RO2::is_below_reference(&secondary.ro_constant),
        ]);
        let primary_setup = setup(Side::Primary, primary.step_circuit, primary.k_table_size)?;
        let secondary_setup = setup(Side::Secondary, secondary.step_circuit, secondary.k_table_size)?;
        let k_table_sizes = [primary.k_table_size, secondary.k_table_size];
        let bound = [
            RO1::digest(&primary.ro_constant),
            RO2::digest(&secondary.ro_constant),
            table_digest(k_table_sizes),
        ];
        let parameters = Parameters::new(
            (Arc::new(primary_setup.shape().clone()), primary.commitment_key),
            (Arc::new(secondary_setup.shape().clone()), secondary.commitment_key),
            Oracles { constants: primary.ro_constant, boxes: MAIN_GATE_SIZE },
            limbs,
            &bound,
        )?;
        Ok(Self {
            parameters,
            primary: primary_setup,
            secondary: secondary_setup,
            k_table_sizes,
            _secondary_oracle: PhantomData,
        })
    }

    /// The digest of the parameters, as proofs bind it.
    #[must_use]
    pub fn digest(&self) -> C1::ScalarExt {
        self.parameters.hashes.digest
    }

    /// The tables' sizes, as powers of two: the primary's and the secondary's.
    #[must_use]
    pub fn k_table_sizes(&self) -> [u32; 2] {
        self.k_table_sizes
    }

    /// How many values the primary and the secondary circuit commit to at each step, in all rounds. A key has to hold less or
    /// more: those of its longest round, and the secondary one also those of an error vector. [`Error::KeyTooSmall`] says how
    /// many.
    #[must_use]
    pub fn committed_values(&self) -> [usize; 2] {
        let rounds = |rounds: &[usize]| rounds.iter().sum();
        let parameters = &self.parameters;
        [
            rounds(&parameters.primary.relation.layout().rounds),
            rounds(&parameters.secondary.relation.layout().rounds),
        ]
    }
}
