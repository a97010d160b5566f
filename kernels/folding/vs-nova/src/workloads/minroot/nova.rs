//! MinRoot in rank-1 constraints: three an iteration, as in Nova's own example.

use std::sync::Arc;

use halo2curves::bn256::Fr;
use nova_snark::{
    frontend::{ConstraintSystem, SynthesisError, num::AllocatedNum},
    traits::circuit::StepCircuit,
};

use super::MinRoot;
use crate::nova::NovaWorkload;

/// One step, given its roots.
#[derive(Clone, Debug)]
pub(crate) struct MinRootCircuit {
    roots: Arc<[Fr]>,
}

impl NovaWorkload for MinRoot {
    type Circuit = MinRootCircuit;

    fn circuit(&self, roots: &Arc<[Fr]>) -> MinRootCircuit {
        MinRootCircuit { roots: Arc::clone(roots) }
    }
}

impl StepCircuit<Fr> for MinRootCircuit {
    fn arity(&self) -> usize {
        2
    }

    fn synthesize<CS: ConstraintSystem<Fr>>(
        &self,
        cs: &mut CS,
        z: &[AllocatedNum<Fr>],
    ) -> Result<Vec<AllocatedNum<Fr>>, SynthesisError> {
        let (mut x, mut y) = (z[0].clone(), z[1].clone());
        for (index, &root) in self.roots.iter().enumerate() {
            let mut cs = cs.namespace(|| format!("iteration {index}"));
            let next = AllocatedNum::alloc(cs.namespace(|| "root"), || Ok(root))?;
            let square = next.square(cs.namespace(|| "square"))?;
            let fourth = square.square(cs.namespace(|| "fourth power"))?;
            cs.enforce(
                || "fifth power",
                |lc| lc + fourth.get_variable(),
                |lc| lc + next.get_variable(),
                |lc| lc + x.get_variable() + y.get_variable(),
            );
            (x, y) = (next, x);
        }
        Ok(vec![x, y])
    }
}
