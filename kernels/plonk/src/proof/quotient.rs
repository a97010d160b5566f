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
    program::{Compiled, Source},
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
        let pieces = self.key.recombination.pieces(self.engine, &self.key.programs.combination, &parts)?;
        drop(parts);
        for _ in &pieces {
            self.skip_blind();
        }
        self.commit(Basis::Coefficients, &pieces.iter().map(|piece| &**piece).collect::<Vec<_>>())?;
        Ok(pieces)
    }

    /// The numerator on one coset, by its coefficients modulo X^n - shift^n.
    fn numerator(&self, coset: &Coset, circuits: &[CircuitColumns]) -> Result<SecretColumn> {
        let (key, passes) = (self.key, &self.key.programs.quotient);
        let common = |source| match coset.resident(source) {
            Some(_) => None,
            None => key.common_poly(source),
        };
        // One pass is the same for all circuits.
        let shared = match &passes[..] {
            [pass] => self.on_coset(coset, pass, common)?,
            _ => OnCoset::default(),
        };
        let mut sum = SecretColumn::new(self.context(), key.shape.rows)?;
        for columns in circuits {
            for pass in passes {
                let made = match passes.len() {
                    1 => OnCoset::default(),
                    _ => self.on_coset(coset, pass, common)?,
                };
                let own = self.on_coset(coset, pass, |source| columns.get(source))?;
                let find = |source| match source {
                    Source::Powers => Some(&key.powers),
                    source => [&own, &made, &shared]
                        .into_iter()
                        .find_map(|columns| columns.get(source))
                        .or_else(|| coset.resident(source)),
                };
                pass.run(
                    self.engine,
                    |source| {
                        find(source)
                            .unwrap_or_else(|| unreachable!("the constraint system has no {source:?}"))
                    },
                    |scalar| self.challenges.scalar(scalar, coset.shift),
                    &mut sum,
                )?;
            }
        }
        coset.interpolate(self.engine, &mut sum)?;
        Ok(sum)
    }

    /// The columns of a pass that there are polynomials for, on a coset.
    fn on_coset<'c>(
        &self,
        coset: &Coset,
        pass: &Compiled,
        poly: impl Fn(Source) -> Option<&'c Buffer<Fr>>,
    ) -> Result<OnCoset> {
        let (key, context) = (self.key, self.context());
        let mut made = Vec::new();
        for &source in pass.columns() {
            let Some(poly) = poly(source) else { continue };
            let mut column = SecretColumn::new(context, key.shape.rows)?;
            context.at_once().copy(poly, 0, &mut column, 0, key.shape.rows)?;
            made.push((source, column));
        }
        let mut columns: Vec<_> = made.iter_mut().map(|(_, column)| &mut **column).collect();
        self.engine.ntt(&coset.domain, &mut columns, Transform::FORWARD.on_coset())?;
        Ok(OnCoset(made))
    }
}

#[derive(Default)]
struct OnCoset(Vec<(Source, SecretColumn)>);

impl OnCoset {
    fn get(&self, source: Source) -> Option<&Buffer<Fr>> {
        self.0.iter().find_map(|(known, column)| (*known == source).then_some(&**column))
    }
}
