//! MinRoot over bn256's scalars: `x' = (x + y)^(1/5)`, `y' = x` (Khovratovich, Maller, Tiwari, eprint 2022/1626). It
//! is slow to compute and quick to check. Each step continues where the one before it ended.

mod elastic;
mod nova;

use std::sync::Arc;

use halo2curves::{bn256::Fr, ff::Field};

use crate::workload::Workload;

/// `(4r - 3) / 5` for the field's order r, lowest limb first: the inverse of 5 modulo r - 1.
const FIFTH_ROOT: [u64; 4] =
    [0xcfe7_f7a9_8ccc_cccd, 0x535c_b9d3_9494_5a0d, 0x9373_6af8_679a_ad17, 0x26b6_a528_b427_b354];

/// So many iterations a step.
#[derive(Clone, Debug)]
pub(crate) struct MinRoot {
    pub(crate) iterations: usize,
}

impl Workload for MinRoot {
    /// The roots, one an iteration.
    type Advice = Arc<[Fr]>;

    fn name(&self) -> &'static str {
        "MinRoot"
    }

    fn size(&self) -> String {
        format!("{} iterations", self.iterations)
    }

    fn z0(&self) -> Vec<Fr> {
        vec![Fr::ZERO, Fr::ONE]
    }

    fn advance(&self, z: &[Fr], _index: u64) -> (Self::Advice, Vec<Fr>) {
        let (mut x, mut y) = (z[0], z[1]);
        let roots: Arc<[Fr]> = (0..self.iterations)
            .map(|_| {
                (x, y) = ((x + y).pow_vartime(FIFTH_ROOT), x);
                x
            })
            .collect();
        (roots, vec![x, y])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_iterations_from_zero_and_one_end_where_they_were_computed_to_end_elsewhere() {
        let workload = MinRoot { iterations: 4 };
        let (roots, z) = workload.advance(&workload.z0(), 0);
        assert_eq!(
            format!("{:?}", z[0]),
            "0x2efb183394553e47f1135a1625f23f3c257c49f25ae254734e14e08ba2cf93a4"
        );
        assert_eq!(
            format!("{:?}", z[1]),
            "0x12c1ebb8a71dba2a9ff673ed257bdfe52931ae23ecaaee0840c467589178c626"
        );
        assert_eq!(roots[2..], [z[1], z[0]]);
    }

    #[test]
    fn two_steps_are_one_step_of_twice_the_iterations() {
        let (half, whole) = (MinRoot { iterations: 3 }, MinRoot { iterations: 6 });
        let (_, middle) = half.advance(&half.z0(), 0);
        assert_eq!(half.advance(&middle, 1).1, whole.advance(&whole.z0(), 0).1);
    }
}
