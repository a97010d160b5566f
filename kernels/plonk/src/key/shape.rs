//! How many there are of what a key and its proofs have.

use std::collections::{BTreeMap, BTreeSet};

use halo2_axiom::{
    halo2curves::bn256::{Fr, G1Affine},
    plonk::{ConstraintSystem, ProvingKey},
};

use crate::{
    error::Result,
    key::checks::{check_degree, check_shape},
    program::Source,
};

/// The rotations of x that one polynomial is opened at, each below the number of rows.
pub(crate) type Rotations = BTreeSet<i32>;

/// What is known of a key without a computation.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) k: u32,
    pub(crate) rows: usize,
    /// Rows that circuits may assign; one more row ends the grand products, and the others blind.
    pub(crate) usable: usize,
    pub(crate) blinding: usize,
    pub(crate) system: ConstraintSystem<Fr>,
    pub(crate) column_phases: Vec<u8>,
    /// The permutation's columns by sets, one for each grand product.
    pub(crate) sets: Vec<Vec<Source>>,
    /// Pieces of the quotient, and cosets that it is evaluated on.
    pub(crate) pieces: usize,
}

impl Shape {
    pub(crate) fn new(pk: &ProvingKey<G1Affine>) -> Result<Self> {
        let vk = pk.get_vk();
        let (system, domain) = (vk.cs().clone(), vk.get_domain());
        let (k, rows, pieces) = (domain.k(), 1usize << domain.k(), domain.get_quotient_poly_degree());
        let degree = check_degree(&system, pieces + 1)?;
        check_shape(pk, &system)?;
        let blinding = system.blinding_factors();
        let permuted: Vec<Source> =
            system.permutation().get_columns().into_iter().map(Source::from).collect();
        Ok(Self {
            k,
            rows,
            usable: rows - (blinding + 1),
            blinding,
            column_phases: system.advice_column_phase(),
            sets: permuted.chunks(degree - 2).map(<[Source]>::to_vec).collect(),
            pieces,
            system,
        })
    }

    /// The rotation to the row after the usable ones.
    pub(crate) fn last_rotation(&self) -> i32 {
        -i32::try_from(self.blinding + 1).unwrap_or(i32::MAX)
    }

    pub(crate) fn phases(&self) -> u8 {
        self.column_phases.iter().max().map_or(1, |last| last + 1)
    }

    pub(crate) fn permuted(&self) -> usize {
        self.sets.iter().map(Vec::len).sum()
    }

    /// The rotations of each polynomial that a proof of so many circuits opens.
    pub(crate) fn opened(&self, circuits: usize) -> Vec<Rotations> {
        let rows = i32::try_from(self.rows).unwrap_or(i32::MAX);
        let at = |rotations: &[i32]| -> Rotations {
            rotations.iter().map(|rotation| rotation.rem_euclid(rows)).collect()
        };
        let queried = |queries: &mut dyn Iterator<Item = (usize, i32)>| -> Vec<Rotations> {
            let mut by_column: BTreeMap<usize, Rotations> = BTreeMap::new();
            for (column, rotation) in queries {
                by_column.entry(column).or_default().insert(rotation.rem_euclid(rows));
            }
            by_column.into_values().collect()
        };
        let advice =
            queried(&mut self.system.advice_queries().iter().map(|(column, at)| (column.index(), at.0)));
        let products = (0..self.sets.len()).map(|set| {
            if set + 1 < self.sets.len() { at(&[0, 1, self.last_rotation()]) } else { at(&[0, 1]) }
        });
        let lookups = self.system.lookups().iter().flat_map(|_| [at(&[0, 1]), at(&[0, -1]), at(&[0])]);
        let of_circuit: Vec<Rotations> = advice.into_iter().chain(products).chain(lookups).collect();
        let fixed =
            queried(&mut self.system.fixed_queries().iter().map(|(column, at)| (column.index(), at.0)));
        // The quotient and the random polynomial are the last two.
        let at_x = std::iter::repeat_n(at(&[0]), self.permuted() + 2);
        std::iter::repeat_n(of_circuit, circuits).flatten().chain(fixed).chain(at_x).collect()
    }
}
