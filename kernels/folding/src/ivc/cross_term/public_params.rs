//! Public parameters: both step circuits laid out, and all that proofs of them are made and checked with.

use std::num::NonZeroUsize;
use std::sync::Arc;

use super::parameters::{Given, Parameters};
use crate::commitment::Curve;
use crate::frontend::{StepCircuit, StepSetup};
use crate::gadgets::LimbParameters;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::circuit_input::{CircuitPublicParamsInput, setup, warn_of_few_rounds};
use crate::ivc::digest::table_digest;
use crate::ivc::oracles::Oracles;
use crate::ivc::{Error, Side};
use crate::poseidon::CircuitOracleFor;

/// As [`crate::ivc::PublicParams`]. Both circuits verify, so that both keys have to be as large as the verifier's circuit.
#[deprecated(note = "the verifier's circuit grows with the degree of gates; `ivc::IVC` takes its place")]
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
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
    SC1: StepCircuit<A1, C1::ScalarExt>,
    SC2: StepCircuit<A2, C2::ScalarExt>,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    pub(super) parameters: Parameters<'key, C1, C2, RO1, RO2>,
    pub(super) primary: StepSetup<A1, C1::ScalarExt, SC1>,
    pub(super) secondary: StepSetup<A2, C2::ScalarExt, SC2>,
    pub(super) k_table_sizes: [u32; 2],
}

impl<'key, const A1: usize, const A2: usize, const MAIN_GATE_SIZE: usize, C1, C2, SC1, SC2, RO1, RO2>
    PublicParams<'key, A1, A2, MAIN_GATE_SIZE, C1, C2, SC1, SC2, RO1, RO2>
where
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
    SC1: StepCircuit<A1, C1::ScalarExt>,
    SC2: StepCircuit<A2, C2::ScalarExt>,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: CircuitOracleFor<C2::ScalarExt>,
{
    /// Lays both circuits out, which fixes the structure of all steps. Limbs are as in [`crate::ivc::PublicParams::new`].
    ///
    /// # Errors
    /// As [`crate::ivc::PublicParams::new`].
    ///
    /// # Panics
    /// When a step circuit has instance columns.
    pub fn new(
        primary: CircuitPublicParamsInput<'key, '_, C1, SC1, RO1::Constants>,
        secondary: CircuitPublicParamsInput<'key, '_, C2, SC2, RO2::Constants>,
        limb_width: NonZeroUsize,
        limbs_count_limit: NonZeroUsize,
    ) -> Result<Self, Error> {
        let (width, count) = (limb_width.get(), limbs_count_limit.get());
        // Elements of either field are limbs in the circuit over the other.
        let limbs = LimbParameters::new::<C1::ScalarExt, C2::ScalarExt>(width, count)?;
        LimbParameters::new::<C2::ScalarExt, C1::ScalarExt>(width, count)?;
        if MAIN_GATE_SIZE == 0 {
            return Err(Error::MainGate);
        }
        warn_of_few_rounds([
            RO1::is_below_reference(&primary.ro_constant),
            RO2::is_below_reference(&secondary.ro_constant),
        ]);
        let k_table_sizes = [primary.k_table_size, secondary.k_table_size];
        let first = setup(Side::Primary, primary.step_circuit, primary.k_table_size)?;
        let second = setup(Side::Secondary, secondary.step_circuit, secondary.k_table_size)?;
        let bound = [
            RO1::digest(&primary.ro_constant),
            RO2::digest(&secondary.ro_constant),
            table_digest(k_table_sizes),
        ];
        let parameters = Parameters::new(
            Given {
                step: Arc::new(first.shape().clone()),
                key: primary.commitment_key,
                oracles: Oracles { constants: primary.ro_constant, boxes: MAIN_GATE_SIZE },
            },
            Given {
                step: Arc::new(second.shape().clone()),
                key: secondary.commitment_key,
                oracles: Oracles { constants: secondary.ro_constant, boxes: MAIN_GATE_SIZE },
            },
            limbs,
            &bound,
        )?;
        Ok(Self { parameters, primary: first, secondary: second, k_table_sizes })
    }
}
