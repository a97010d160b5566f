//! Lookups: input and table, compressed by theta, and their permuted columns A' and S'.

use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
    },
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::{PermuteOrder, Status};

use crate::{
    error::{Error, Result},
    program::Compiled,
    proof::{CircuitColumns, Proof, columns::LookupColumns},
    secret::SecretColumn,
    srs::Basis,
};

impl<E, R, T> Proof<'_, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    pub(super) fn permute_lookups(&mut self, circuits: &mut [CircuitColumns]) -> Result<()> {
        for (circuit, columns) in circuits.iter_mut().enumerate() {
            for lookup in 0..self.key.lookups.len() {
                let made = self.permute_lookup(circuit, columns, lookup)?;
                columns.lookups.push(made);
            }
        }
        let permuted =
            circuits.iter().flat_map(|columns| &columns.lookups).flat_map(|lookup| &lookup.permuted);
        self.commit(Basis::Values, &permuted.map(|column| &**column).collect::<Vec<_>>())
    }

    fn permute_lookup(
        &mut self,
        circuit: usize,
        columns: &CircuitColumns,
        lookup: usize,
    ) -> Result<LookupColumns> {
        let (key, context) = (self.key, self.context());
        let programs = &key.lookups[lookup];
        let compress = |program: &Compiled| -> Result<SecretColumn> {
            let mut out = SecretColumn::new(context, key.rows)?;
            let scalar = |scalar| self.challenges.scalar(scalar, Fr::ONE);
            program.run(context, |source| self.values(columns, source), scalar, &mut out)?;
            Ok(out)
        };
        let [input, table] = [compress(&programs.input)?, compress(&programs.table)?];
        let mut permuted = [SecretColumn::new(context, key.rows)?, SecretColumn::new(context, key.rows)?];
        let [a, s] = &mut permuted;
        context.at_once().permute(&input, &table, key.usable, PermuteOrder::FirstMeets, a, s).map_err(
            |error| match error.status() {
                Status::NotInTable => Error::NotInTable { circuit, lookup, row: error.bad_row() },
                _ => Error::Accel(error),
            },
        )?;
        for column in &mut permuted {
            let blinds = self.random(key.rows - key.usable);
            context.at_once().write(column, key.usable, &blinds)?;
        }
        self.skip_blind();
        self.skip_blind();
        Ok(LookupColumns { compressed: Some([input, table]), permuted, product: None })
    }
}
