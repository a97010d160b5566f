//! A proving key prepared in the memory of a backend.

mod checks;

use checks::{check_degree, check_shape};
use halo2_axiom::{
    halo2curves::{
        bn256::{Fr, G1Affine},
        ff::{Field, PrimeField},
    },
    plonk::{ConstraintSystem, ProvingKey},
};
use zkaccel::{Buffer, Context, Domain, Transform};

use crate::{
    coset::{Coset, Recombination},
    error::Result,
    program::{Compiled, LookupPrograms, SetPrograms, Source, pair_program, quotient_program},
    witness::SpareCells,
};

/// The most bytes of columns on cosets that are held between proofs; beyond that they are made for each.
const RESIDENT_BYTES_MAX: usize = 4 << 30;

/// All that proofs of one circuit have in common.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) k: u32,
    pub(crate) rows: usize,
    /// Rows that circuits may assign; one more row ends the grand products, and the others blind.
    pub(crate) usable: usize,
    pub(crate) blinding: usize,
    pub(crate) system: ConstraintSystem<Fr>,
    pub(crate) column_phases: Vec<u8>,
    pub(crate) transcript_repr: Fr,
    pub(crate) omega: Fr,
    /// The permutation's columns by sets, one for each grand product.
    pub(crate) sets: Vec<Vec<Source>>,
    pub(crate) fixed_values: Vec<Buffer<Fr>>,
    pub(crate) fixed_polys: Vec<Buffer<Fr>>,
    pub(crate) sigma_values: Vec<Buffer<Fr>>,
    pub(crate) sigma_polys: Vec<Buffer<Fr>>,
    /// omega^i in row i.
    pub(crate) powers: Buffer<Fr>,
    /// l_0, l_last and l_active.
    pub(crate) marks: [Buffer<Fr>; 3],
    pub(crate) domain: Domain,
    pub(crate) cosets: Vec<Coset>,
    pub(crate) recombination: Recombination,
    pub(crate) lookups: Vec<LookupPrograms>,
    pub(crate) pair: Compiled,
    pub(crate) set_programs: Vec<SetPrograms>,
    pub(crate) quotient: Compiled,
    /// Of proofs that have ended.
    pub(crate) spare_cells: SpareCells,
}

impl Key {
    pub(crate) fn new(context: &Context, pk: &ProvingKey<G1Affine>) -> Result<Self> {
        let vk = pk.get_vk();
        let (system, domain) = (vk.cs().clone(), vk.get_domain());
        let (k, rows) = (domain.k(), 1usize << domain.k());
        let parts = domain.get_quotient_poly_degree();
        let degree = check_degree(&system, parts + 1)?;
        check_shape(pk, &system)?;

        let blinding = system.blinding_factors();
        let last_rotation = -i32::try_from(blinding + 1).unwrap_or(i32::MAX);
        let permuted: Vec<Source> =
            system.permutation().get_columns().into_iter().map(Source::from).collect();
        let sets: Vec<Vec<Source>> = permuted.chunks(degree - 2).map(<[Source]>::to_vec).collect();

        let omega = domain.get_omega();
        let upload = |columns: &[&[Fr]]| -> Result<Vec<Buffer<Fr>>> {
            columns.iter().map(|column| Ok(Buffer::of(context, column)?)).collect()
        };
        let mut powers = Buffer::new(context, rows)?;
        context.at_once().powers(Fr::ONE, omega, &mut powers)?;

        let set_programs = sets
            .iter()
            .scan(0, |first, set| {
                let from = *first;
                *first += set.len();
                Some(SetPrograms::new(context, rows, from, set))
            })
            .collect::<Result<_>>()?;
        let shifts: Vec<Fr> =
            std::iter::successors(Some(domain.g_coset), |shift| Some(*shift * domain.get_extended_omega()))
                .take(parts)
                .collect();
        let lookups = system.lookups().iter().map(|lookup| {
            LookupPrograms::new(context, rows, lookup.input_expressions(), lookup.table_expressions())
        });
        let mut key = Self {
            k,
            rows,
            usable: rows - (blinding + 1),
            blinding,
            column_phases: system.advice_column_phase(),
            transcript_repr: vk.transcript_repr(),
            omega,
            fixed_values: upload(
                &pk.fixed_values().iter().map(halo2_axiom::poly::Polynomial::values).collect::<Vec<_>>(),
            )?,
            fixed_polys: upload(
                &pk.fixed_polys().iter().map(halo2_axiom::poly::Polynomial::values).collect::<Vec<_>>(),
            )?,
            sigma_values: upload(
                &pk.permutation()
                    .permutations()
                    .iter()
                    .map(halo2_axiom::poly::Polynomial::values)
                    .collect::<Vec<_>>(),
            )?,
            sigma_polys: upload(
                &pk.permutation()
                    .polys()
                    .iter()
                    .map(halo2_axiom::poly::Polynomial::values)
                    .collect::<Vec<_>>(),
            )?,
            powers,
            marks: [
                Buffer::of(context, pk.l0().values())?,
                Buffer::of(context, pk.l_last().values())?,
                Buffer::of(context, pk.l_active_row().values())?,
            ],
            domain: Domain::with_roots(context, k, k, omega, domain.g_coset)?,
            cosets: shifts
                .iter()
                .map(|&shift| Coset::new(context, k, omega, shift))
                .collect::<Result<_>>()?,
            recombination: Recombination::new(context, rows, &shifts)?,
            lookups: lookups.collect::<Result<_>>()?,
            pair: pair_program(context, rows)?,
            set_programs,
            quotient: quotient_program(context, rows, &system, &sets, last_rotation)?,
            sets,
            system,
            spare_cells: SpareCells::default(),
        };
        key.make_cosets_resident(context)?;
        Ok(key)
    }

    /// omega^rotation times the point.
    pub(crate) fn rotate(&self, point: Fr, rotation: i32) -> Fr {
        let rows = i64::try_from(self.rows).unwrap_or(i64::MAX);
        let steps = i64::from(rotation).rem_euclid(rows);
        point * self.omega.pow_vartime([steps.unsigned_abs()])
    }

    /// The rotation to the row after the usable ones.
    pub(crate) fn last_rotation(&self) -> i32 {
        -i32::try_from(self.blinding + 1).unwrap_or(i32::MAX)
    }

    /// delta^j for each column of the permutation.
    pub(crate) fn deltas(&self) -> Vec<Fr> {
        let columns = self.sets.iter().map(Vec::len).sum();
        std::iter::successors(Some(Fr::ONE), |power| Some(*power * Fr::DELTA)).take(columns).collect()
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

    /// Evaluates the common columns that the constraints use on all cosets, where that takes at most what it may.
    fn make_cosets_resident(&mut self, context: &Context) -> Result<()> {
        let sources: Vec<Source> = self
            .quotient
            .columns()
            .iter()
            .copied()
            .filter(|&source| self.common_poly(source).is_some())
            .collect();
        let bytes =
            sources.len().saturating_mul(self.cosets.len()).saturating_mul(self.rows * size_of::<Fr>());
        if bytes > RESIDENT_BYTES_MAX {
            return Ok(());
        }
        let mut cosets = std::mem::take(&mut self.cosets);
        for coset in &mut cosets {
            let mut columns = Vec::with_capacity(sources.len());
            for &source in &sources {
                let Some(poly) = self.common_poly(source) else { continue };
                let mut column = Buffer::new(context, self.rows)?;
                context.at_once().copy(poly, 0, &mut column, 0, self.rows)?;
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
