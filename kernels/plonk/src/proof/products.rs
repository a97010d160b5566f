//! The grand products of the permutation and of lookups, and the polynomial that blinds the quotient.

use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::Field,
    },
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::Buffer;

use crate::{
    cost,
    error::Result,
    program::{Compiled, Source},
    proof::{CircuitColumns, Proof, columns::LookupColumns},
    random,
    secret::SecretColumn,
    srs::Basis,
};

impl<E, R, T> Proof<'_, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    pub(super) fn commit_to_products(&mut self, circuits: &mut [CircuitColumns]) -> Result<()> {
        for columns in &mut *circuits {
            columns.set_products = self.set_products(columns)?;
        }
        for columns in &mut *circuits {
            for lookup in &mut columns.lookups {
                lookup.product = self.lookup_product(lookup)?;
            }
        }
        let of_sets = circuits.iter().flat_map(|columns| &columns.set_products);
        let of_lookups =
            circuits.iter().flat_map(|columns| &columns.lookups).flat_map(|lookup| &lookup.product);
        let products: Vec<_> = of_sets.chain(of_lookups).map(|column| &**column).collect();
        self.commit(Basis::Values, &products)
    }

    /// A random polynomial of as many coefficients as there are rows.
    pub(super) fn commit_to_random_poly(&mut self) -> Result<SecretColumn> {
        let poly = random::column(self.rng, self.context(), self.key.shape.rows)?;
        self.engine.advance(cost::random(self.key.shape.rows));
        self.skip_blind();
        self.commit(Basis::Coefficients, &[&poly])?;
        Ok(poly)
    }

    /// One for each set of columns; each begins with what the one before ends with.
    fn set_products(&mut self, columns: &CircuitColumns) -> Result<Vec<SecretColumn>> {
        let key = self.key;
        let mut start = Fr::ONE;
        let mut products = Vec::with_capacity(key.programs.sets.len());
        for programs in &key.programs.sets {
            let numerator = self.run_over_rows(&programs.numerator, columns)?;
            let denominator = self.run_over_rows(&programs.denominator, columns)?;
            let product = self.product(&numerator, &denominator, start)?;
            let mut end = [Fr::ZERO];
            self.context().at_once().read(&product, key.shape.usable, &mut end)?;
            start = end[0];
            products.push(product);
        }
        Ok(products)
    }

    fn lookup_product(&mut self, lookup: &mut LookupColumns) -> Result<Option<SecretColumn>> {
        let Some(compressed) = lookup.compressed.take() else { return Ok(None) };
        let pair = |columns: &[SecretColumn; 2]| {
            self.run(&self.key.programs.pair, |source| match source {
                Source::Input => &columns[0],
                _ => &columns[1],
            })
        };
        let [numerator, denominator] = [pair(&compressed)?, pair(&lookup.permuted)?];
        self.product(&numerator, &denominator, Fr::ONE).map(Some)
    }

    fn run<'c>(&self, program: &Compiled, column: impl Fn(Source) -> &'c Buffer<Fr>) -> Result<SecretColumn> {
        let mut out = SecretColumn::new(self.context(), self.key.shape.rows)?;
        program.run(self.engine, column, |scalar| self.challenges.scalar(scalar, Fr::ONE), &mut out)?;
        Ok(out)
    }

    /// The products up to each row, and blinding after the row that ends them.
    fn product(
        &mut self,
        numerator: &SecretColumn,
        denominator: &SecretColumn,
        start: Fr,
    ) -> Result<SecretColumn> {
        let (key, context) = (self.key, self.context());
        let mut product = SecretColumn::new(context, key.shape.rows)?;
        self.engine.grand_product([numerator, denominator], start, key.shape.usable, &mut product)?;
        let blinds = self.random(key.shape.blinding);
        context.at_once().write(&mut product, key.shape.usable + 1, &blinds)?;
        self.skip_blind();
        Ok(product)
    }
}
