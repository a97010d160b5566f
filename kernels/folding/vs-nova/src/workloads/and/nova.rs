//! 64-bit AND in rank-1 constraints: bits of both numbers, and their products. Nova's own example does the same and
//! spends six constraints a pair more on numbers that are sums of bits.

use std::sync::Arc;

use halo2curves::{bn256::Fr, ff::Field};
use nova_snark::{
    frontend::{AllocatedBit, ConstraintSystem, SynthesisError, num::AllocatedNum},
    traits::circuit::StepCircuit,
};

use super::And;
use crate::nova::NovaWorkload;

const BITS: usize = 64;

/// One step, given its pairs.
#[derive(Clone, Debug)]
pub(crate) struct AndCircuit {
    pairs: Arc<[(u64, u64)]>,
}

impl NovaWorkload for And {
    type Circuit = AndCircuit;

    fn circuit(&self, pairs: &Arc<[(u64, u64)]>) -> AndCircuit {
        AndCircuit { pairs: Arc::clone(pairs) }
    }
}

impl StepCircuit<Fr> for AndCircuit {
    fn arity(&self) -> usize {
        1
    }

    fn synthesize<CS: ConstraintSystem<Fr>>(
        &self,
        cs: &mut CS,
        z: &[AllocatedNum<Fr>],
    ) -> Result<Vec<AllocatedNum<Fr>>, SynthesisError> {
        let mut common = Vec::with_capacity(self.pairs.len() * BITS);
        for (index, &(a, b)) in self.pairs.iter().enumerate() {
            let mut cs = cs.namespace(|| format!("pair {index}"));
            for bit in 0..BITS {
                let of = |number: u64| Some(number >> bit & 1 == 1);
                let a = AllocatedBit::alloc(cs.namespace(|| format!("a {bit}")), of(a))?;
                let b = AllocatedBit::alloc(cs.namespace(|| format!("b {bit}")), of(b))?;
                common.push(AllocatedBit::and(cs.namespace(|| format!("both {bit}")), &a, &b)?);
            }
        }
        let sum = AllocatedNum::alloc(cs.namespace(|| "sum"), || {
            let before = z[0].get_value().ok_or(SynthesisError::AssignmentMissing)?;
            Ok(before + self.pairs.iter().map(|(a, b)| Fr::from(a & b)).sum::<Fr>())
        })?;
        cs.enforce(
            || "the sum is of the numbers that these bits are",
            |lc| {
                common.chunks_exact(BITS).fold(lc + z[0].get_variable(), |lc, bits| {
                    let mut power = Fr::ONE;
                    bits.iter().fold(lc, |lc, bit| {
                        let term = (power, bit.get_variable());
                        power = power.double();
                        lc + term
                    })
                })
            },
            |lc| lc + CS::one(),
            |lc| lc + sum.get_variable(),
        );
        Ok(vec![sum])
    }
}
