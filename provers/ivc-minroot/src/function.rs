//! The function itself.

use std::sync::Arc;

use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;

/// `(4r - 3) / 5` for the field's order `r`, lowest limb first: the inverse of 5 modulo `r - 1`.
const FIFTH_ROOT: [u64; 4] =
    [0xcfe7_f7a9_8ccc_cccd, 0x535c_b9d3_9494_5a0d, 0x9373_6af8_679a_ad17, 0x26b6_a528_b427_b354];

/// Iterations that were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The root that each iteration found, in order.
    pub roots: Arc<[Fr]>,
    /// `[x, y]` after the last.
    pub output: [Fr; 2],
}

/// So many iterations from `[x, y]`.
#[must_use]
pub fn evaluate(input: [Fr; 2], iterations: usize) -> Evaluation {
    let [mut x, mut y] = input;
    let roots = (0..iterations)
        .map(|_| {
            (x, y) = ((x + y).pow_vartime(FIFTH_ROOT), x);
            x
        })
        .collect();
    Evaluation { roots, output: [x, y] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_iterations_from_zero_and_one_end_where_they_were_computed_to_end_elsewhere() {
        let Evaluation { roots, output } = evaluate([Fr::ZERO, Fr::ONE], 4);
        assert_eq!(
            output.map(|element| format!("{element:?}")),
            [
                "0x2efb183394553e47f1135a1625f23f3c257c49f25ae254734e14e08ba2cf93a4",
                "0x12c1ebb8a71dba2a9ff673ed257bdfe52931ae23ecaaee0840c467589178c626",
            ]
        );
        assert_eq!(roots[2..], [output[1], output[0]]);
    }

    #[test]
    fn iterations_go_on_where_others_ended() {
        let all = evaluate([Fr::from(5), Fr::from(6)], 7);
        let first = evaluate([Fr::from(5), Fr::from(6)], 3);
        let second = evaluate(first.output, 4);
        assert_eq!(second.output, all.output);
        assert_eq!([&*first.roots, &*second.roots].concat(), *all.roots);
    }
}
