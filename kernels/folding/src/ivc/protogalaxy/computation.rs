//! A computation in steps, with a proof of those made so far.

use std::path::Path;

use halo2curves::CurveAffine;

use super::public_params::PublicParams;
use super::state::State;
use super::{Proof, saved};
use crate::commitment::Curve;
use crate::frontend::StepCircuit;
use crate::gadgets::ecc::NativeCurve;
use crate::ivc::step::{StepOptions, StepValues, counts};
use crate::ivc::{Error, Side};
use crate::poseidon::{CircuitOracleFor, RandomOracleFor};

/// An incrementally verifiable computation: its state, and what proves it.
///
/// Each step takes the output of the step before. What else a step circuit depends on, its witness, may change from
/// one [`IVC::fold_step`] to the next.
#[derive(Clone, Debug)]
pub struct IVC<const A1: usize, const A2: usize, C1: Curve, C2: Curve> {
    pub(super) state: State<C1, C2>,
    /// The digest of the parameters that the computation was started with.
    parameters: C1::ScalarExt,
    debug_mode: bool,
}

/// What the primary and the secondary steps computed.
pub type Outputs<const A1: usize, const A2: usize, C1, C2> =
    ([<C1 as CurveAffine>::ScalarExt; A1], [<C2 as CurveAffine>::ScalarExt; A2]);

impl<const A1: usize, const A2: usize, C1, C2> IVC<A1, A2, C1, C2>
where
    C1: Curve + NativeCurve,
    C2: Curve + NativeCurve<Base = C1::ScalarExt, ScalarExt = C1::Base>,
{
    /// Starts a computation and makes its first step, step zero.
    ///
    /// With `debug_mode`, each step is checked against its circuit when it is made; without, a step that does not satisfy
    /// its circuit surfaces at [`IVC::verify`].
    ///
    /// # Errors
    /// As [`IVC::fold_step`].
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
        RO2: RandomOracleFor<C2::ScalarExt>,
    {
        let state = pp.parameters.start(primary_z_0.to_vec(), secondary_z_0.to_vec());
        let mut computation = Self { state, parameters: pp.digest(), debug_mode };
        computation.fold_step(pp, primary, secondary)?;
        Ok(computation)
    }

    /// Makes one more step, and folds what proved the steps before.
    ///
    /// # Errors
    /// When these are other parameters, or a step cannot be made: its circuit fails, or is laid out otherwise than at set-up.
    /// In debug mode also when a step does not satisfy its circuit. The computation is then unchanged.
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
        RO2: RandomOracleFor<C2::ScalarExt>,
    {
        self.check_parameters(pp.digest())?;
        let options = StepOptions { step: self.state.steps, debug_mode: self.debug_mode };
        let [k1, k2] = pp.k_table_sizes();
        let first = options.witness(Side::Primary, &pp.primary, primary, &self.state.primary, k1)?;
        let second = options.witness(Side::Secondary, &pp.secondary, secondary, &self.state.secondary, k2)?;
        let (first_counts, second_counts) = (counts(&pp.primary, &first), counts(&pp.secondary, &second));
        let parameters = &pp.parameters;
        parameters.advance(
            &mut self.state,
            StepValues {
                shape: &parameters.primary.step,
                values: &first.values,
                multiplicities: &first_counts,
            },
            first.z_out.to_vec(),
            StepValues {
                shape: &parameters.secondary.step,
                values: &second.values,
                multiplicities: &second_counts,
            },
            second.z_out.to_vec(),
        )
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
        RO2: RandomOracleFor<C2::ScalarExt>,
    {
        self.check_parameters(pp.digest())?;
        pp.parameters.verify(&self.state)
    }

    /// Checks the proof of a statement that is given: so many steps from these inputs. Returns what they computed.
    ///
    /// # Errors
    /// As [`IVC::verify`], and when the proof is of another statement.
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
        self.check_parameters(pp.digest())?;
        pp.verify_statement(&self.state, steps, primary_z_0, secondary_z_0)
    }

    /// What proves the steps so far to others.
    #[must_use]
    pub fn proof(&self) -> Proof<A1, A2, C1, C2> {
        Proof { state: self.state.clone(), parameters: self.parameters }
    }

    /// Saves the computation in a file, for [`IVC::load`]. The file is written atomically, even if the machine stops;
    /// an older one in its place is replaced. Only one at a time may save to a path.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        saved::save(path, &self.state, &self.parameters, self.debug_mode)
    }

    /// Resumes a computation that was saved. Its proof is verified, so that no step is spent on one that is lost.
    ///
    /// # Errors
    /// [`Error::Saved`] for a file that is damaged or something else, [`Error::OtherParameters`], [`Error::Refused`],
    /// [`Error::Io`].
    pub fn load<const T: usize, SC1, SC2, RO1, RO2>(
        path: &Path,
        pp: &PublicParams<'_, A1, A2, T, C1, C2, SC1, SC2, RO1, RO2>,
    ) -> Result<Self, Error>
    where
        SC1: StepCircuit<A1, C1::ScalarExt>,
        SC2: StepCircuit<A2, C2::ScalarExt>,
        RO1: CircuitOracleFor<C1::ScalarExt>,
        RO2: RandomOracleFor<C2::ScalarExt>,
    {
        let (state, debug_mode) = pp.parameters.load(path)?;
        Ok(Self { state, parameters: pp.digest(), debug_mode })
    }

    /// How many steps were made, step zero among them.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// What the primary steps computed.
    #[must_use]
    pub fn primary_output(&self) -> [C1::ScalarExt; A1] {
        self.state.primary_output()
    }

    /// What the secondary steps computed.
    #[must_use]
    pub fn secondary_output(&self) -> [C2::ScalarExt; A2] {
        self.state.secondary_output()
    }

    pub(super) fn check_parameters(&self, digest: C1::ScalarExt) -> Result<(), Error> {
        if self.parameters == digest { Ok(()) } else { Err(Error::OtherParameters) }
    }
}
