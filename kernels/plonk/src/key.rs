//! A proving key prepared in the memory of a backend.

mod checks;
mod programs;
mod shape;

use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::{Field, PrimeField},
    },
    plonk::ProvingKey,
    poly::Polynomial,
};
pub(crate) use programs::Programs;
pub(crate) use shape::{Rotations, Shape};
use zkaccel::{Buffer, Context, Domain, Status, Transform};

use crate::{
    coset::{Coset, Recombination},
    error::{Error, Result},
    plan::Strategy,
    program::Source,
    witness::SpareCells,
};

/// All that proofs of one circuit have in common.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) shape: Shape,
    pub(crate) strategy: Strategy,
    pub(crate) programs: Programs,
    pub(crate) transcript_repr: Fr,
    pub(crate) omega: Fr,
    /// Where they are held.
    pub(crate) fixed_values: Vec<Buffer<Fr>>,
    pub(crate) fixed_polys: Vec<Buffer<Fr>>,
    /// As those.
    pub(crate) sigma_values: Vec<Buffer<Fr>>,
    pub(crate) sigma_polys: Vec<Buffer<Fr>>,
    /// omega^i in row i.
    pub(crate) powers: Buffer<Fr>,
    /// l_0, l_last and l_active.
    pub(crate) marks: [Buffer<Fr>; 3],
    pub(crate) domain: Domain,
    pub(crate) cosets: Vec<Coset>,
    pub(crate) recombination: Recombination,
    /// Of proofs that have ended.
    pub(crate) spare_cells: SpareCells,
}

impl Key {
    pub(crate) fn new(context: &Context, pk: &ProvingKey<G1Affine>, strategy: Strategy) -> Result<Self> {
        let shape = Shape::new(pk)?;
        let programs = Programs::new(context, &shape, strategy.columns_max)?;
        let vk = pk.get_vk();
        let (k, rows, domain) = (shape.k, shape.rows, vk.get_domain());
        let omega = domain.get_omega();
        let mut powers = Buffer::new(context, rows)?;
        context.at_once().powers(Fr::ONE, omega, &mut powers)?;
        let shifts: Vec<Fr> =
            std::iter::successors(Some(domain.g_coset), |shift| Some(*shift * domain.get_extended_omega()))
                .take(shape.pieces)
                .collect();
        let (fixed, sigma): (&[_], &[_]) =
            if strategy.values { (pk.fixed_values(), pk.permutation().permutations()) } else { (&[], &[]) };
        let mut key = Self {
            transcript_repr: vk.transcript_repr(),
            omega,
            fixed_values: upload(context, fixed)?,
            fixed_polys: upload(context, pk.fixed_polys())?,
            sigma_values: upload(context, sigma)?,
            sigma_polys: upload(context, pk.permutation().polys())?,
            powers,
            marks: [
                uploaded(context, pk.l0())?,
                uploaded(context, pk.l_last())?,
                uploaded(context, pk.l_active_row())?,
            ],
            domain: Domain::with_roots(context, k, k, omega, domain.g_coset)?,
            cosets: shifts
                .iter()
                .map(|&shift| Coset::new(context, k, omega, shift))
                .collect::<Result<_>>()?,
            recombination: Recombination::new(rows, &shifts),
            shape,
            strategy,
            programs,
            spare_cells: SpareCells::default(),
        };
        if strategy.cosets {
            key.make_cosets_resident(context)?;
        }
        Ok(key)
    }

    /// omega^rotation times the point.
    pub(crate) fn rotate(&self, point: Fr, rotation: i32) -> Fr {
        let rows = i64::try_from(self.shape.rows).unwrap_or(i64::MAX);
        let steps = i64::from(rotation).rem_euclid(rows);
        point * self.omega.pow_vartime([steps.unsigned_abs()])
    }

    /// delta^j for each column of the permutation.
    pub(crate) fn deltas(&self) -> Vec<Fr> {
        let powers = std::iter::successors(Some(Fr::ONE), |power| Some(*power * Fr::DELTA));
        powers.take(self.shape.permuted()).collect()
    }

    /// The coefficients of a column that is the same in all proofs.
    pub(crate) fn common_poly(&self, source: Source) -> Option<&Buffer<Fr>> {
        match source {
            Source::Fixed(at) => self.fixed_polys.get(at),
            Source::Sigma(at) => self.sigma_polys.get(at),
            Source::First => Some(&self.marks[0]),
            Source::Last => Some(&self.marks[1]),
            Source::Active => Some(&self.marks[2]),
            _ => None,
        }
    }

    /// Evaluates the common columns that the constraints use on all cosets.
    fn make_cosets_resident(&mut self, context: &Context) -> Result<()> {
        let mut sources: Vec<Source> = Vec::new();
        for &source in self.programs.quotient.iter().flat_map(crate::program::Compiled::columns) {
            if source.is_common() && !sources.contains(&source) {
                sources.push(source);
            }
        }
        let mut cosets = std::mem::take(&mut self.cosets);
        for coset in &mut cosets {
            let mut columns = Vec::with_capacity(sources.len());
            for &source in &sources {
                let Some(poly) = self.common_poly(source) else { continue };
                let mut column = Buffer::new(context, self.shape.rows)?;
                context.at_once().copy(poly, 0, &mut column, 0, self.shape.rows)?;
                columns.push((source, column));
            }
            let mut refs: Vec<_> = columns.iter_mut().map(|(_, column)| column).collect();
            context.at_once().ntt(&coset.domain, &mut refs, Transform::FORWARD.on_coset())?;
            coset.resident = columns;
        }
        self.cosets = cosets;
        Ok(())
    }
}

fn upload<B>(context: &Context, columns: &[Polynomial<Fr, B>]) -> Result<Vec<Buffer<Fr>>> {
    columns.iter().map(|column| uploaded(context, column)).collect()
}

fn uploaded<B>(context: &Context, column: &Polynomial<Fr, B>) -> Result<Buffer<Fr>> {
    Buffer::of(context, column.values()).map_err(|error| match error.status() {
        Status::NonCanonical => Error::CorruptKey(error),
        _ => error.into(),
    })
}
