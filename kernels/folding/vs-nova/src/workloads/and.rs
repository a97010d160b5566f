//! 64-bit AND: a step takes pairs of numbers and adds what they have in common, as numbers, to the state.

mod elastic;
mod nova;

use std::sync::Arc;

use halo2curves::{bn256::Fr, ff::Field};

use crate::workload::Workload;

/// So many pairs a step.
#[derive(Clone, Debug)]
pub(crate) struct And {
    pub(crate) pairs: usize,
}

impl Workload for And {
    /// The pairs.
    type Advice = Arc<[(u64, u64)]>;

    fn name(&self) -> &'static str {
        "64-bit AND"
    }

    fn size(&self) -> String {
        format!("{} pairs", self.pairs)
    }

    fn z0(&self) -> Vec<Fr> {
        vec![Fr::ZERO]
    }

    fn advance(&self, z: &[Fr], index: u64) -> (Self::Advice, Vec<Fr>) {
        let mut numbers = Numbers { state: index << 32 };
        let pairs: Arc<[(u64, u64)]> = (0..self.pairs).map(|_| (numbers.next(), numbers.next())).collect();
        let sum: Fr = pairs.iter().map(|(a, b)| Fr::from(a & b)).sum();
        (pairs, vec![z[0] + sum])
    }
}

/// `SplitMix64` (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", figure 17).
struct Numbers {
    state: u64,
}

impl Numbers {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_adds_the_and_of_each_pair_and_no_two_steps_have_the_same_pairs() {
        let workload = And { pairs: 2 };
        let (first, z) = workload.advance(&[Fr::from(7)], 0);
        let [(a, b), (c, d)] = *first else { panic!("there are two pairs") };
        assert_eq!(z, [Fr::from(a & b) + Fr::from(c & d) + Fr::from(7)]);
        assert_ne!(first, workload.advance(&z, 1).0);
    }

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        // The first output from seed 0 of the reference implementation by Vigna (splitmix64.c).
        assert_eq!(Numbers { state: 0 }.next(), 0xe220_a839_7b1d_cdaf);
    }
}
