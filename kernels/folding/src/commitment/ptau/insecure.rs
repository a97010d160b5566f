//! Powers of a tau that this process knows: for tests and development, never for anything else.

use std::path::Path;

use halo2curves::bn256::{Fr, G1Affine, G2, G2Affine};
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::Curve;
use halo2curves::{CurveAffine, CurveExt};
use rand_core::RngCore;
use rayon::prelude::*;

use super::write::write;
use crate::commitment::CommitmentKey;
use crate::commitment::error::Error;
use crate::commitment::key::check_size;
use crate::commitment::structured::StructuredPart;
use crate::warning::warn;

const WARNING: &str = "powers of a tau known to this process are being made. \
     Whoever knows it can prove anything: use them for tests and development alone.";

impl CommitmentKey<G1Affine> {
    /// **Insecure.** A key of powers of a random tau, which this process has known: whoever learns it can open
    /// commitments to anything, and so prove anything. For tests and development alone; says so on standard error.
    /// Only there with the feature `insecure-setup`.
    ///
    /// # Errors
    ///
    /// [`Error::KeySize`].
    pub fn insecure_setup(k: usize, rng: impl RngCore) -> Result<Self, Error> {
        check_size(k)?;
        warn(WARNING);
        let tau = Fr::random(rng);
        let powers = powers(tau, 1 << k);
        let [g2, tau_g2] = [G2::generator().to_affine(), (G2::generator() * tau).to_affine()];
        Ok(Self::powers_of_tau(powers, k, StructuredPart { g2, tau_g2 }))
    }

    /// **Insecure.** Writes a file of powers of a random tau that [`from_ptau`](Self::from_ptau) reads for sizes up to
    /// `power`, under the warnings of [`insecure_setup`](Self::insecure_setup).
    ///
    /// # Errors
    ///
    /// [`Error::KeySize`], [`Error::Io`].
    pub fn write_insecure_ptau(path: &Path, power: usize, rng: impl RngCore) -> Result<(), Error> {
        check_size(power)?;
        warn(WARNING);
        let tau = Fr::random(rng);
        let tau_g1: Vec<G1Affine> = powers(tau, (2 << power) - 1);
        let tau_g2: Vec<G2Affine> = powers(tau, (1 << power).max(2));
        write(path, power, &tau_g1, &tau_g2).map_err(Error::io("write", path))
    }
}

/// How many powers a thread makes at a time.
const CHUNK_LEN: usize = 1024;

/// The first powers of tau times the generator.
pub(super) fn powers<C: CurveAffine<ScalarExt = Fr>>(tau: Fr, count: usize) -> Vec<C> {
    let table = digit_multiples::<C::CurveExt>();
    let mut powers = vec![C::identity(); count];
    powers.par_chunks_mut(CHUNK_LEN).enumerate().for_each(|(chunk, powers)| {
        let first = tau.pow_vartime([(chunk * CHUNK_LEN) as u64]);
        let scalars = std::iter::successors(Some(first), |power| Some(power * tau));
        let multiples: Vec<_> = scalars.take(powers.len()).map(|scalar| multiple(&table, scalar)).collect();
        C::CurveExt::batch_normalize(&multiples, powers);
    });
    powers
}

/// `table[i][d]` is `d * 256^i` times the generator.
fn digit_multiples<G: CurveExt>() -> Vec<Vec<G>> {
    let mut base = G::generator();
    let mut next_row = || {
        let row: Vec<G> =
            std::iter::successors(Some(G::identity()), |sum| Some(*sum + base)).take(256).collect();
        base += row[255];
        row
    };
    (0..32).map(|_| next_row()).collect()
}

fn multiple<G: CurveExt>(table: &[Vec<G>], scalar: Fr) -> G {
    table.iter().zip(scalar.to_repr().as_ref()).map(|(row, digit)| row[usize::from(*digit)]).sum()
}
