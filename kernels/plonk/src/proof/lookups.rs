//! Lookups: input and table, compressed by theta, and their permuted columns A' and S'.

use halo2_axiom::{
    halo2curves::bn256::G1Affine,
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::Status;

use crate::{
    error::{Error, Result},
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
            for lookup in 0..self.key.programs.lookups.len() {
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
        let programs = &key.programs.lookups[lookup];
        let input = self.run_over_rows(&programs.input, columns)?;
        let table = self.run_over_rows(&programs.table, columns)?;
        let mut permuted =
            [SecretColumn::new(context, key.shape.rows)?, SecretColumn::new(context, key.shape.rows)?];
        let [a, s] = &mut permuted;
        self.engine.permute([&input, &table], key.shape.usable, [a, s]).map_err(|error| match error {
            Error::Accel(error) if error.status() == Status::NotInTable => {
                Error::NotInTable { circuit, lookup, row: error.bad_row() }
            }
            error => error,
        })?;
        for column in &mut permuted {
            let blinds = self.random(key.shape.rows - key.shape.usable);
            context.at_once().write(column, key.shape.usable, &blinds)?;
        }
        self.skip_blind();
        self.skip_blind();
        Ok(LookupColumns { compressed: Some([input, table]), permuted, product: None })
    }
}
