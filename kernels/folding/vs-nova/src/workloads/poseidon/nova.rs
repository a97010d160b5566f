//! The chain for nova-snark: as many copies of one hash's constraints as a step has hashes.

use std::sync::Arc;

use halo2curves::bn256::Fr;
use nova_snark::{
    frontend::{ConstraintSystem, LinearCombination, SynthesisError, Variable, num::AllocatedNum},
    traits::circuit::StepCircuit,
};

use super::{
    PoseidonChain,
    constants::Constants,
    rank1::{Form, Hash, witness},
};
use crate::nova::NovaWorkload;

/// One step.
#[derive(Clone, Debug)]
pub(crate) struct ChainCircuit {
    hashes: usize,
    constants: Arc<Constants>,
    rank1: Arc<Hash>,
}

impl NovaWorkload for PoseidonChain {
    type Circuit = ChainCircuit;

    fn circuit(&self, (): &()) -> ChainCircuit {
        ChainCircuit {
            hashes: self.hashes,
            constants: Arc::clone(&self.constants),
            rank1: Arc::clone(&self.rank1),
        }
    }
}

impl StepCircuit<Fr> for ChainCircuit {
    fn arity(&self) -> usize {
        1
    }

    fn synthesize<CS: ConstraintSystem<Fr>>(
        &self,
        cs: &mut CS,
        z: &[AllocatedNum<Fr>],
    ) -> Result<Vec<AllocatedNum<Fr>>, SynthesisError> {
        let mut x = z[0].clone();
        for index in 0..self.hashes {
            x = self.hash(&mut cs.namespace(|| format!("hash {index}")), &x)?;
        }
        Ok(vec![x])
    }
}

impl ChainCircuit {
    fn hash<CS: ConstraintSystem<Fr>>(
        &self,
        cs: &mut CS,
        x: &AllocatedNum<Fr>,
    ) -> Result<AllocatedNum<Fr>, SynthesisError> {
        let mut values = Vec::new();
        if let Some(x) = x.get_value() {
            values.reserve_exact(self.rank1.variables);
            values.push(x);
            witness(&self.constants, x, &mut values);
        }
        let value = |at: usize| values.get(at).copied().ok_or(SynthesisError::AssignmentMissing);
        let last = self.rank1.variables - 1;
        let mut variables = Vec::with_capacity(self.rank1.variables);
        variables.push(x.get_variable());
        for at in 1..last {
            variables.push(cs.alloc(|| format!("{at}"), || value(at))?);
        }
        let hash = AllocatedNum::alloc(cs.namespace(|| "hash"), || value(last))?;
        variables.push(hash.get_variable());
        for (at, [left, right, result]) in self.rank1.constraints.iter().enumerate() {
            cs.enforce(
                || format!("constraint {at}"),
                |lc| plus::<CS>(lc, left, &variables),
                |lc| plus::<CS>(lc, right, &variables),
                |lc| plus::<CS>(lc, result, &variables),
            );
        }
        Ok(hash)
    }
}

fn plus<CS: ConstraintSystem<Fr>>(
    lc: LinearCombination<Fr>,
    form: &Form,
    variables: &[Variable],
) -> LinearCombination<Fr> {
    // A coefficient of zero would be kept, and multiplied by.
    let lc = if form.constant() == Fr::from(0) { lc } else { lc + (form.constant(), CS::one()) };
    form.terms().fold(lc, |lc, (at, coefficient)| lc + (coefficient, variables[at]))
}
