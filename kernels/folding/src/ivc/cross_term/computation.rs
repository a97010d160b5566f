//! A computation in steps, with a proof of those made so far.

use super::advance::Stepped;
use super::public_params::PublicParams;
use super::state::State;
use crate::commitment::Curve;
use crate::frontend::StepCircuit;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::step::{StepOptions, StepValues, array, counts};
use crate::ivc::{Error, Outputs, Side};
use crate::poseidon::CircuitOracleFor;

/// As [`crate::ivc::IVC`], by cross terms on both sides.
#[deprecated(note = "the verifier's circuit grows with the degree of gates; `ivc::IVC` takes its place")]
#[derive(Clone, Debug)]
pub struct IVC<const A1: usize, const A2: usize, C1: Curve, C2: Curve> {
    pub(super) state: State<C1, C2>,
    /// The digest of the parameters that the computation was started with.
    parameters: [u8; 32],
    debug_mode: bool,
}

impl<const A1: usize, const A2: usize, C1, C2> IVC<A1, A2, C1, C2>
where
    C1: Curve + NativeCurve<Base = C2::ScalarExt, ScalarExt = C2::Base>,
    C2: Curve + NativeCurve,
{
    /// Starts a computation and makes its first step, step zero.
    ///
    /// # Errors
    /// As [`crate::ivc::IVC::new`].
    pub fn new<const T: usize, SC1, SC2, RO1, RO2>(
        pp: &PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>,
        primary: &SC1,
        primary_z_0: [C1::ScalarExt; A1],
        secondary: &SC2,
        secondary_z_0: [C2::ScalarExt; A2],
        debug_mode: bool,
    ) -> Result<Self, Error>
    where
        SC1: StepCircuit<A1, C1::ScalarExt>,
        SC2: StepCircuit<A2, C2::ScalarExt>,
        RO1: CircuitOracleFor<C1::ScalarExt>,
        RO2: CircuitOracleFor<C2::ScalarExt>,
    {
        let state = pp.parameters.start(primary_z_0.to_vec(), secondary_z_0.to_vec());
        let mut computation = Self { state, parameters: pp.parameters.digest, debug_mode };
        computation.fold_step(pp, primary, secondary)?;
        Ok(computation)
    }

    /// Makes one more step, and folds what proved the steps before.
    ///
    /// # Errors
    /// As [`crate::ivc::IVC::fold_step`].
    pub fn fold_step<const T: usize, SC1, SC2, RO1, RO2>(
        &mut self,
        pp: &PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>,
        primary: &SC1,
        secondary: &SC2,
    ) -> Result<(), Error>
    where
        SC1: StepCircuit<A1, C1::ScalarExt>,
        SC2: StepCircuit<A2, C2::ScalarExt>,
        RO1: CircuitOracleFor<C1::ScalarExt>,
        RO2: CircuitOracleFor<C2::ScalarExt>,
    {
        self.check_parameters(pp.parameters.digest)?;
        let options = StepOptions { step: self.state.steps, debug_mode: self.debug_mode };
        let [k1, k2] = pp.k_table_sizes;
        let first = options.witness(Side::Primary, &pp.primary, primary, &self.state.primary, k1)?;
        let second = options.witness(Side::Secondary, &pp.secondary, secondary, &self.state.secondary, k2)?;
        let (first_counts, second_counts) = (counts(&pp.primary, &first), counts(&pp.secondary, &second));
        let parameters = &pp.parameters;
        let shapes = (&parameters.primary.step, &parameters.secondary.step);
        let values = StepValues { shape: shapes.0, values: &first.values, multiplicities: &first_counts };
        let primary = Stepped { values, z_next: first.z_out.to_vec() };
        let values = StepValues { shape: shapes.1, values: &second.values, multiplicities: &second_counts };
        let secondary = Stepped { values, z_next: second.z_out.to_vec() };
        parameters.advance(&mut self.state, primary, secondary)
    }

    /// Checks the proof of all steps so far.
    ///
    /// # Errors
    /// [`Error::Refused`] when it does not hold.
    pub fn verify<const T: usize, SC1, SC2, RO1, RO2>(
        &self,
        pp: &PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>,
    ) -> Result<(), Error>
    where
        SC1: StepCircuit<A1, C1::ScalarExt>,
        SC2: StepCircuit<A2, C2::ScalarExt>,
        RO1: CircuitOracleFor<C1::ScalarExt>,
        RO2: CircuitOracleFor<C2::ScalarExt>,
    {
        self.check_parameters(pp.parameters.digest)?;
        pp.parameters.verify(&self.state)
    }

    /// How many steps were made, step zero among them.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// What the primary and the secondary steps computed.
    #[must_use]
    pub fn outputs(&self) -> Outputs<A1, A2, C1, C2> {
        (array(&self.state.primary), array(&self.state.secondary))
    }

    fn check_parameters(&self, digest: [u8; 32]) -> Result<(), Error> {
        if self.parameters == digest { Ok(()) } else { Err(Error::OtherParameters) }
    }
}
