//! The perturbator `F(X) = Σ_i pow_i(β + X δ) f_i(z)` with `δ_j = δ^(2^j)`: what the accumulator's claim would be under
//! other `β` (ProtoGalaxy, section 4, step 4).

use halo2curves::ff::PrimeField;
use rayon::prelude::*;

/// Values that one thread handles: the lower levels of the tree, where nearly all work is.
const LEAVES: usize = 1 << 9;

/// The powers `δ^(2^j)` for `j < t`.
#[must_use]
pub(super) fn squarings<F: PrimeField>(delta: F, count: usize) -> Vec<F> {
    std::iter::successors(Some(delta), |power| Some(power.square())).take(count).collect()
}

/// The coefficients of `F`, from the constant on: one more than there are `β`. Missing values are 0.
///
/// A tree over the bits of `i` from the lowest: the polynomial of a node is `left + (β_j + X δ_j) right`.
#[must_use]
pub(super) fn coefficients<F: PrimeField>(values: &[F], betas: &[F], deltas: &[F]) -> Vec<F> {
    let depth = betas.len().min(LEAVES.trailing_zeros() as usize);
    let low = |values: &[F]| climb(values.to_vec(), 1, &betas[..depth], &deltas[..depth]);
    let subtrees: Vec<F> = values.par_chunks(1 << depth).flat_map_iter(low).collect();
    climb(subtrees, depth + 1, &betas[depth..], &deltas[depth..])
}

/// Merges the nodes of a level, each of `width` coefficients, pair by pair, to one. The result has a coefficient more
/// for each level, were there nodes or not.
fn climb<F: PrimeField>(mut nodes: Vec<F>, mut width: usize, betas: &[F], deltas: &[F]) -> Vec<F> {
    for (beta, delta) in betas.iter().zip(deltas) {
        let mut merged = Vec::with_capacity((nodes.len() / width).div_ceil(2) * (width + 1));
        for pair in nodes.chunks(2 * width) {
            let (left, right) = pair.split_at(width);
            let start = merged.len();
            merged.extend_from_slice(left);
            merged.push(F::ZERO);
            for (index, coefficient) in right.iter().enumerate() {
                merged[start + index] += *beta * coefficient;
                merged[start + index + 1] += *delta * coefficient;
            }
        }
        nodes = merged;
        width += 1;
    }
    nodes.resize(width, F::ZERO);
    nodes
}
