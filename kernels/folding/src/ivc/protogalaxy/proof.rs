//! The proof of a computation, apart from the computation.

use super::public_params::PublicParams;
use super::state::State;
use super::{Outputs, bytes};
use crate::commitment::Curve;
use crate::frontend::StepCircuit;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::{Error, Refusal, Side};
use crate::poseidon::{CircuitOracleFor, RandomOracleFor};

/// What proves the steps of a computation to others: it holds what they check, and makes no further steps.
///
/// It is as long as the vectors behind two primary instances and a secondary one, however many steps there were. A succinct
/// proof is made of it by the compression of this library.
#[derive(Clone, Debug)]
pub struct Proof<const A1: usize, const A2: usize, C1: Curve, C2: Curve> {
    pub(super) state: State<C1, C2>,
    /// The digest of the parameters that it is of.
    pub(super) parameters: C1::ScalarExt,
}

impl<const A1: usize, const A2: usize, C1, C2> Proof<A1, A2, C1, C2>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
{
    /// How many steps it claims, step zero among them.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// Checks the proof of a statement that is given: so many steps from these inputs. Returns what they computed.
    ///
    /// # Errors
    /// [`Error::Refused`] when it does not hold, or is of another statement; [`Error::OtherParameters`].
    pub fn verify_with<const T: usize, SC1, SC2, RO1, RO2>(
        &self,
        pp: &PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>,
        steps: u64,
        primary_z_0: &[C1::ScalarExt; A1],
        secondary_z_0: &[C2::ScalarExt; A2],
    ) -> Result<Outputs<A1, A2, C1, C2>, Error>
    where
        SC1: StepCircuit<A1, C1::ScalarExt>,
        SC2: StepCircuit<A2, C2::ScalarExt>,
        RO1: CircuitOracleFor<C1::ScalarExt>,
        RO2: RandomOracleFor<C2::ScalarExt>,
    {
        if self.parameters != pp.digest() {
            return Err(Error::OtherParameters);
        }
        pp.verify_statement(&self.state, steps, primary_z_0, secondary_z_0)
    }

    /// The proof as bytes: one form for one proof.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        bytes::write(&self.state, &self.parameters)
    }

    /// The proof that these bytes are, of these parameters. It may not hold: that is for [`Proof::verify_with`] to say.
    ///
    /// No more is allocated than a proof of these parameters takes, whatever the bytes say.
    ///
    /// # Errors
    /// [`Error::Bytes`], and [`Error::OtherParameters`] for a proof of others.
    pub fn from_bytes<const T: usize, SC1, SC2, RO1, RO2>(
        bytes: &[u8],
        pp: &PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>,
    ) -> Result<Self, Error>
    where
        SC1: StepCircuit<A1, C1::ScalarExt>,
        SC2: StepCircuit<A2, C2::ScalarExt>,
        RO1: CircuitOracleFor<C1::ScalarExt>,
        RO2: RandomOracleFor<C2::ScalarExt>,
    {
        Ok(Self { state: pp.parameters.read(bytes)?, parameters: pp.digest() })
    }
}

impl<const A1: usize, const A2: usize, const T: usize, C1, C2, SC1, SC2, RO1, RO2>
    PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
    SC1: StepCircuit<A1, C1::ScalarExt>,
    SC2: StepCircuit<A2, C2::ScalarExt>,
    RO1: CircuitOracleFor<C1::ScalarExt>,
    RO2: RandomOracleFor<C2::ScalarExt>,
{
    /// Checks that a state of these parameters is of this statement, and proves it.
    pub(super) fn verify_statement(
        &self,
        state: &State<C1, C2>,
        steps: u64,
        primary_z_0: &[C1::ScalarExt; A1],
        secondary_z_0: &[C2::ScalarExt; A2],
    ) -> Result<Outputs<A1, A2, C1, C2>, Error> {
        if state.steps != steps {
            return Err(Refusal::Steps { found: state.steps }.into());
        }
        if state.primary_start != primary_z_0 {
            return Err(Refusal::Start(Side::Primary).into());
        }
        if state.secondary_start != secondary_z_0 {
            return Err(Refusal::Start(Side::Secondary).into());
        }
        self.parameters.verify(state)?;
        Ok((state.primary_output(), state.secondary_output()))
    }
}
