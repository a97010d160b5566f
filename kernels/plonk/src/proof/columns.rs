//! The columns of one circuit, by their values at first and by their coefficients after [`Proof::interpolate`].

use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::{Buffer, Transform};

use crate::{
    error::Result,
    program::{Compiled, Source},
    proof::Proof,
    secret::SecretColumn,
};

/// All columns of a circuit that are not the key's.
#[derive(Default)]
pub(crate) struct CircuitColumns {
    pub(super) advice: Vec<SecretColumn>,
    pub(super) instance: Vec<SecretColumn>,
    pub(super) set_products: Vec<SecretColumn>,
    pub(super) lookups: Vec<LookupColumns>,
}

/// The columns of one lookup.
pub(super) struct LookupColumns {
    /// The compressed input and table, until the grand product is there.
    pub(super) compressed: Option<[SecretColumn; 2]>,
    /// A' and S'.
    pub(super) permuted: [SecretColumn; 2],
    pub(super) product: Option<SecretColumn>,
}

impl CircuitColumns {
    /// A column of this circuit that a program reads.
    pub(super) fn get(&self, source: Source) -> Option<&Buffer<Fr>> {
        let column = match source {
            Source::Advice(at) => self.advice.get(at),
            Source::Instance(at) => self.instance.get(at),
            Source::SetProduct(at) => self.set_products.get(at),
            Source::LookupProduct(at) => self.lookups.get(at).and_then(|lookup| lookup.product.as_ref()),
            Source::PermutedInput(at) => self.lookups.get(at).map(|lookup| &lookup.permuted[0]),
            Source::PermutedTable(at) => self.lookups.get(at).map(|lookup| &lookup.permuted[1]),
            _ => None,
        };
        column.map(|column| &**column)
    }

    fn all_mut(&mut self) -> impl Iterator<Item = &mut Buffer<Fr>> {
        let of_lookups =
            self.lookups.iter_mut().flat_map(|lookup| lookup.permuted.iter_mut().chain(&mut lookup.product));
        let columns = self.advice.iter_mut().chain(&mut self.instance).chain(&mut self.set_products);
        columns.chain(of_lookups).map(|column| &mut **column)
    }
}

impl<E, R, T> Proof<'_, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    /// The value of a program over the rows, while columns have their values.
    pub(super) fn run_over_rows(&self, program: &Compiled, columns: &CircuitColumns) -> Result<SecretColumn> {
        let (key, context) = (self.key, self.context());
        let mut out = SecretColumn::new(context, key.shape.rows)?;
        // Columns of the key that are held by coefficients alone.
        let mut made = Vec::new();
        for &source in program.columns().iter().filter(|source| source.is_of_key() && !key.strategy.values) {
            let Some(poly) = key.common_poly(source) else { continue };
            let mut column = SecretColumn::new(context, key.shape.rows)?;
            context.at_once().copy(poly, 0, &mut column, 0, key.shape.rows)?;
            made.push((source, column));
        }
        let mut refs: Vec<_> = made.iter_mut().map(|(_, column)| &mut **column).collect();
        self.engine.ntt(&key.domain, &mut refs, Transform::FORWARD)?;
        let find = |source| {
            let made = made.iter().find_map(|(known, column)| (*known == source).then_some(&**column));
            made.or_else(|| match source {
                Source::Fixed(at) => key.fixed_values.get(at),
                Source::Sigma(at) => key.sigma_values.get(at),
                Source::Powers => Some(&key.powers),
                source => columns.get(source),
            })
        };
        program.run(
            self.engine,
            |source| find(source).unwrap_or_else(|| unreachable!("the constraint system has no {source:?}")),
            |scalar| self.challenges.scalar(scalar, Fr::one()),
            &mut out,
        )?;
        Ok(out)
    }

    /// Values to coefficients, in place.
    pub(super) fn interpolate(&self, circuits: &mut [CircuitColumns]) -> Result<()> {
        let mut columns: Vec<_> = circuits.iter_mut().flat_map(CircuitColumns::all_mut).collect();
        self.engine.ntt(&self.key.domain, &mut columns, Transform::INVERSE)
    }
}
