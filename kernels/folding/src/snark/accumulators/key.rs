//! What prover and verifier know before there are accumulators.

use std::sync::Arc;

use halo2curves::bn256::{Fr, G1Affine};
use halo2curves::ff::PrimeField;
use halo2curves::grumpkin;
use sha2::{Digest as _, Sha256};

use super::Error;
use crate::cross_term::RelaxedRelation;
use crate::relation::{Layout, Relation};
use crate::snark::encoding::point_bytes;
use crate::snark::spartan::Shape;
use crate::snark::{hyperkzg, ipa};

/// The relations, which a verifier evaluates itself, and what it takes to check openings.
#[derive(Clone, Debug)]
pub struct VerifierKey {
    pub(super) primary: Arc<Relation<Fr>>,
    pub(super) secondary: Arc<RelaxedRelation<grumpkin::Fr>>,
    pub(super) powers: hyperkzg::VerifierKey,
    generators: Vec<grumpkin::G1Affine>,
    base: grumpkin::G1Affine,
    digest: [u8; 32],
}

impl VerifierKey {
    /// A key for accumulators of these relations. `powers` belong to the key that primary commitments are made with,
    /// `generators` are those of secondary ones, and `base` is a point of which nobody knows a relation to them.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for too few generators; [`Error::Primary`] and [`Error::Secondary`] for relations that no
    /// proof can be made for.
    pub fn new(
        primary: Arc<Relation<Fr>>,
        secondary: Arc<RelaxedRelation<grumpkin::Fr>>,
        powers: hyperkzg::VerifierKey,
        generators: &[grumpkin::G1Affine],
        base: grumpkin::G1Affine,
    ) -> Result<Self, Error> {
        Shape::new(&primary).map_err(Error::Primary)?;
        let variables =
            Shape::with_errors(secondary.relation()).map_err(Error::Secondary)?.column_variables();
        let generators = long_enough("grumpkin", generators, variables)?.to_vec();
        let digest = digest(&primary, secondary.relation(), &powers, &generators, &base);
        Ok(Self { primary, secondary, powers, generators, base, digest })
    }

    /// SHA-256 of everything that decides which accumulators and proofs are accepted.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The primary relation.
    #[must_use]
    pub fn primary(&self) -> &Relation<Fr> {
        &self.primary
    }

    /// What primary openings are checked with.
    #[must_use]
    pub fn powers(&self) -> &hyperkzg::VerifierKey {
        &self.powers
    }

    /// The generators of secondary commitments: as many as the longest of their vectors takes, padded to a power of two.
    #[must_use]
    pub fn generators(&self) -> &[grumpkin::G1Affine] {
        &self.generators
    }

    /// The point that inner products are bound to.
    #[must_use]
    pub fn base(&self) -> grumpkin::G1Affine {
        self.base
    }

    /// How primary vectors are laid out.
    #[must_use]
    pub fn primary_layout(&self) -> &Layout {
        self.primary.layout()
    }

    /// How secondary vectors are laid out.
    #[must_use]
    pub fn secondary_layout(&self) -> &Layout {
        self.secondary.relation().layout()
    }

    pub(super) fn primary_shape(&self) -> Result<Shape<'_, Fr>, Error> {
        Shape::new(&self.primary).map_err(Error::Primary)
    }

    pub(super) fn secondary_shape(&self) -> Result<Shape<'_, grumpkin::Fr>, Error> {
        Shape::with_errors(self.secondary.relation()).map_err(Error::Secondary)
    }

    pub(super) fn inner_products(&self) -> ipa::Key<'_, grumpkin::G1Affine> {
        ipa::Key { generators: &self.generators, base: self.base }
    }
}

/// The verifier's key, and the powers of tau that primary commitments are made with.
#[derive(Clone, Copy, Debug)]
pub struct ProverKey<'a> {
    pub(super) verifier: &'a VerifierKey,
    pub(super) powers_of_tau: &'a [G1Affine],
}

impl<'a> ProverKey<'a> {
    /// A key for proofs that `verifier` checks.
    ///
    /// # Errors
    /// [`Error::KeyLength`] for less powers than the longest round takes, padded to a power of two.
    pub fn new(verifier: &'a VerifierKey, powers_of_tau: &'a [G1Affine]) -> Result<Self, Error> {
        let variables = verifier.primary_shape()?.column_variables();
        let powers_of_tau = long_enough("bn256", powers_of_tau, variables)?;
        Ok(Self { verifier, powers_of_tau })
    }
}

/// The first `2^variables` points.
fn long_enough<'a, C>(curve: &'static str, points: &'a [C], variables: usize) -> Result<&'a [C], Error> {
    let needed = 1 << variables;
    points.get(..needed).ok_or(Error::KeyLength { curve, found: points.len(), needed })
}

fn digest(
    primary: &Relation<Fr>,
    secondary: &Relation<grumpkin::Fr>,
    powers: &hyperkzg::VerifierKey,
    generators: &[grumpkin::G1Affine],
    base: &grumpkin::G1Affine,
) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(b"elastic-folding accumulators 1");
    hash.update(primary.digest());
    hash.update(secondary.digest());
    hash.update(point_bytes(&powers.g1));
    for point in [&powers.g2, &powers.tau_g2] {
        for coordinate in [point.x.c0(), point.x.c1(), point.y.c0(), point.y.c1()] {
            hash.update(coordinate.to_repr());
        }
    }
    hash.update((generators.len() as u64).to_le_bytes());
    for point in generators.iter().chain([base]) {
        hash.update(point_bytes(point));
    }
    hash.finalize().into()
}
