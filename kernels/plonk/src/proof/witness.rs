//! Instances and advice: the circuits are synthesized, phase by phase, and their columns committed to.

use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    plonk::Circuit,
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;

use crate::{
    cost,
    error::{Error, Result},
    proof::{CircuitColumns, Proof},
    secret::SecretColumn,
    srs::Basis,
    witness::{Cells, Collector},
};

impl<E, R, T> Proof<'_, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    /// The columns of each circuit. Several circuits are of one phase: each is synthesized before the first is committed to.
    pub(super) fn synthesize<C: Circuit<Fr>>(
        &mut self,
        circuits: &[C],
        instances: &[&[&[Fr]]],
    ) -> Result<Vec<CircuitColumns>> {
        let (key, cancellation) = (self.key, self.engine.cancellation());
        let mut challenges = vec![None; key.shape.system.num_challenges()];
        let mut made = Vec::with_capacity(circuits.len());
        for (circuit, instances) in circuits.iter().zip(instances) {
            let mut advice: Vec<Option<SecretColumn>> =
                key.shape.column_phases.iter().map(|_| None).collect();
            let mut end_phase = |phase: u8, cells: &mut Cells, known: &mut [Option<Fr>]| {
                let columns = self.blind_phase(phase, cells)?;
                if circuits.len() == 1 {
                    self.commit_to_advice(&columns.iter().map(|(_, column)| column).collect::<Vec<_>>())?;
                    self.squeeze_phase(phase, known);
                    challenges.copy_from_slice(known);
                }
                for (at, column) in columns {
                    advice[at] = Some(column);
                }
                Ok(())
            };
            let cells = key.spare_cells.take(key.shape.column_phases.len(), key.shape.rows);
            let cells = Collector::new(&key.shape, instances, cells, cancellation.clone(), &mut end_phase)
                .collect(circuit)?;
            key.spare_cells.put(cells);
            self.engine.advance(cost::synthesize(key.shape.column_phases.len() * key.shape.rows));
            let instance =
                instances.iter().map(|values| self.instance_column(values)).collect::<Result<_>>()?;
            let advice = advice.into_iter().flatten().collect();
            made.push(CircuitColumns { advice, instance, ..CircuitColumns::default() });
        }
        if circuits.len() > 1 {
            let columns: Vec<_> = made.iter().flat_map(|columns| &columns.advice).collect();
            self.commit_to_advice(&columns)?;
            self.squeeze_phase(0, &mut challenges);
        }
        let challenges = challenges.into_iter().enumerate();
        self.challenges.of_circuit = challenges
            .map(|(at, challenge)| challenge.ok_or(Error::ChallengeWithoutPhase(at)))
            .collect::<Result<_>>()?;
        Ok(made)
    }

    /// The columns of a phase, with their places, blinded.
    fn blind_phase(&mut self, phase: u8, cells: &mut Cells) -> Result<Vec<(usize, SecretColumn)>> {
        let key = self.key;
        let of_phase =
            key.shape.column_phases.iter().enumerate().filter(|&(_, &of)| of == phase).map(|(at, _)| at);
        let mut columns = Vec::new();
        for at in of_phase {
            let blinds = self.random(key.shape.rows - key.shape.usable);
            columns.push((at, cells.blinded(self.engine, at, &blinds)?));
        }
        for _ in &columns {
            self.skip_blind();
        }
        Ok(columns)
    }

    fn commit_to_advice(&mut self, columns: &[&SecretColumn]) -> Result<()> {
        self.commit(Basis::Values, &columns.iter().map(|column| &***column).collect::<Vec<_>>())
    }

    fn squeeze_phase(&mut self, phase: u8, challenges: &mut [Option<Fr>]) {
        for (challenge, of) in challenges.iter_mut().zip(self.key.shape.system.challenge_phase()) {
            if of == phase {
                *challenge = Some(self.squeeze());
            }
        }
    }

    fn instance_column(&self, values: &[Fr]) -> Result<SecretColumn> {
        // The rows after the instance are zero.
        let mut column = SecretColumn::new(self.context(), self.key.shape.rows)?;
        self.context().at_once().write(&mut column, 0, values)?;
        Ok(column)
    }
}
