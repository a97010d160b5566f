//! The verifier.

use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::grumpkin;

use super::{CompressedProof, VerifierKey};
use crate::ivc::{Error, Outputs, Refusal};
use crate::poseidon::CircuitOracleFor;
use crate::relation::{Instance, Layout};
use crate::snark::accumulators::{self, Accumulators};
use halo2curves::CurveAffine;

impl<const A1: usize, const A2: usize> CompressedProof<A1, A2> {
    /// Checks that so many steps, step zero among them, were made from these inputs. Returns what they computed.
    ///
    /// # Errors
    /// [`Error::Refused`] names the first check that failed.
    pub fn verify<RO: CircuitOracleFor<Fr>>(
        &self,
        key: &VerifierKey<A1, A2, RO>,
        steps: u64,
        primary_z_0: &[Fr; A1],
        secondary_z_0: &[grumpkin::Fr; A2],
    ) -> Result<Outputs<A1, A2, G1Affine, grumpkin::G1Affine>, Error> {
        if steps == 0 {
            return Err(Refusal::NoSteps.into());
        }
        self.check_shapes(key)?;
        let mut state = self.state(steps, primary_z_0, secondary_z_0);
        key.complete(&mut state);
        let folded = key.folded(&state, &self.fold)?;
        let claims = Accumulators { primary: &folded, secondary: &self.secondary_accumulator };
        accumulators::verify(&key.accumulators, &claims, &self.accumulators)
            .map_err(Refusal::Accumulators)?;
        Ok((self.primary_output, self.secondary_output))
    }

    /// What the primary steps computed. True once the proof is verified.
    #[must_use]
    pub fn primary_output(&self) -> [Fr; A1] {
        self.primary_output
    }

    /// What the secondary steps computed. True once the proof is verified.
    #[must_use]
    pub fn secondary_output(&self) -> [grumpkin::Fr; A2] {
        self.secondary_output
    }

    /// That all parts have the lengths and all points the curves that hashing and folding take for granted.
    fn check_shapes<RO: CircuitOracleFor<Fr>>(&self, key: &VerifierKey<A1, A2, RO>) -> Result<(), Refusal> {
        let (primary, secondary) = (key.accumulators.primary_layout(), key.accumulators.secondary_layout());
        let (first, second) = (&self.accumulator, &self.secondary_accumulator);
        let shapes = [
            ("primary accumulator", fits(&first.instance, primary)),
            ("primary accumulator's betas", first.betas.len() == key.fold.betas),
            ("last instance", self.last.len() == primary.rounds.len() && self.last.iter().all(on_curve)),
            ("secondary accumulator", fits(&second.instance, secondary) && on_curve(&second.error)),
        ];
        shapes.into_iter().find(|(_, fits)| !fits).map_or(Ok(()), |(what, _)| Err(Refusal::Shape(what)))
    }
}

fn on_curve<C: CurveAffine>(point: &C) -> bool {
    bool::from(point.is_on_curve())
}

fn fits<C: CurveAffine>(instance: &Instance<C>, layout: &Layout) -> bool {
    instance.commitments.len() == layout.rounds.len()
        && instance.publics.len() == layout.publics
        && instance.challenges.len() == layout.challenges
        && instance.commitments.iter().all(on_curve)
}
