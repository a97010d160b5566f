//! Whether points are the powers of one tau.

use halo2curves::bn256::{Bn256, Fr, G1Affine};
use halo2curves::ff::PrimeField;
use halo2curves::group::Curve;
use halo2curves::pairing::Engine;
use rand_core::{OsRng, RngCore};

use crate::acceleration::msm;
use crate::commitment::structured::StructuredPart;

/// Whether each point is tau times the one before it, for the tau of the second group.
///
/// One check for all: `e(Σ ρ_i P_(i+1), G2) = e(Σ ρ_i P_i, tau G2)` with random `ρ_i` of 128 bits, which points that
/// differ anywhere pass with probability `2^-128`.
pub(super) fn are_powers(points: &[G1Affine], structured: &StructuredPart) -> bool {
    let weight = || u128::from(OsRng.next_u64()) << 64 | u128::from(OsRng.next_u64());
    let weights: Vec<Fr> = points.iter().skip(1).map(|_| Fr::from_u128(weight())).collect();
    let (next, this) = rayon::join(|| msm(&weights, &points[1..]), || msm(&weights, points));
    let pairing = |point: halo2curves::bn256::G1, of| Bn256::pairing(&point.to_affine(), of);
    pairing(next, &structured.g2) == pairing(this, &structured.tau_g2)
}
