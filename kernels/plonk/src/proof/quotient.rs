//! The quotient polynomial: all constraints by powers of y, divided by X^n - 1.

use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    transcript::{EncodedChallenge, TranscriptWrite},
};
use rand_core::RngCore;
use zkaccel::{Buffer, Transform};

use crate::{
    coset::Coset,
    error::Result,
    program::Source,
    proof::{CircuitColumns, Proof},
    secret::SecretColumn,
    srs::Basis,
};

impl<E, R, T> Proof<'_, E, R, T>
where
    E: EncodedChallenge<G1Affine>,
    R: RngCore,
    T: TranscriptWrite<G1Affine, E>,
{
    pub(super) fn commit_to_quotient(&mut self, circuits: &[CircuitColumns]) -> Result<Vec<SecretColumn>> {
        let parts = self
            .key
            .cosets
            .iter()
            .map(|coset| self.numerator(coset, circuits))
            .collect::<Result<Vec<_>>>()?;
        let pieces = self.key.recombination.pieces(self.context(), &parts)?;
        for _ in &pieces {
            self.skip_blind();
        }
        self.commit(Basis::Coefficients, &pieces.iter().map(|piece| &**piece).collect::<Vec<_>>())?;
        Ok(pieces)
    }

    /// The numerator on one coset, by its coefficients modulo X^n - shift^n.
    fn numerator(&self, coset: &Coset, circuits: &[CircuitColumns]) -> Result<SecretColumn> {
        let (key, context) = (self.key, self.context());
        let common = self.on_coset(coset, |source| match coset.resident(source) {
            Some(_) => None,
            None => key.common_poly(source),
        })?;
        let mut sum = SecretColumn::new(context, key.rows)?;
        for columns in circuits {
            let own = self.on_coset(coset, |source| columns.get(source))?;
            let find = |source| match source {
                Source::Powers => Some(&key.powers),
                source => own.get(source).or_else(|| common.get(source)).or_else(|| coset.resident(source)),
            };
            key.quotient.run(
                context,
                |source| {
                    find(source).unwrap_or_else(|| unreachable!("the constraint system has no {source:?}"))
                },
                |scalar| self.challenges.scalar(scalar, coset.shift),
                &mut sum,
            )?;
        }
        coset.interpolate(context, &mut sum)?;
        Ok(sum)
    }

    /// The columns of the constraints that there are polynomials for, on a coset.
    fn on_coset<'c>(
        &self,
        coset: &Coset,
        poly: impl Fn(Source) -> Option<&'c Buffer<Fr>>,
    ) -> Result<OnCoset> {
        let (key, context) = (self.key, self.context());
        let mut made = Vec::new();
        for &source in key.quotient.columns() {
            let Some(poly) = poly(source) else { continue };
            let mut column = SecretColumn::new(context, key.rows)?;
            context.at_once().copy(poly, 0, &mut column, 0, key.rows)?;
            made.push((source, column));
        }
        let mut columns: Vec<_> = made.iter_mut().map(|(_, column)| &mut **column).collect();
        if !columns.is_empty() {
            context.at_once().ntt(&coset.domain, &mut columns, Transform::FORWARD.on_coset())?;
        }
        Ok(OnCoset(made))
    }
}

struct OnCoset(Vec<(Source, SecretColumn)>);

impl OnCoset {
    fn get(&self, source: Source) -> Option<&Buffer<Fr>> {
        self.0.iter().find_map(|(known, column)| (*known == source).then_some(&**column))
    }
}
