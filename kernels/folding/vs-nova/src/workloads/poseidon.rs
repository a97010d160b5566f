//! A chain of Poseidon hashes, `x -> H(x, x)`: the permutation of three elements that circomlib and hadeshash publish
//! as x5_254, the same on all sides. (nova-snark's own Poseidon is another variant.)

mod constants;
mod elastic;
mod grain;
mod nova;
mod rank1;

use std::sync::Arc;

use constants::Constants;
use halo2curves::bn256::Fr;

use crate::workload::Workload;

/// So many hashes a step.
#[derive(Clone, Debug)]
pub(crate) struct PoseidonChain {
    hashes: usize,
    constants: Arc<Constants>,
    rank1: Arc<rank1::Hash>,
}

impl PoseidonChain {
    pub(crate) fn new(hashes: usize) -> Self {
        let constants = Arc::new(Constants::generate());
        let rank1 = Arc::new(rank1::Hash::new(&constants));
        Self { hashes, constants, rank1 }
    }
}

impl Workload for PoseidonChain {
    type Advice = ();

    fn name(&self) -> &'static str {
        "Poseidon chain"
    }

    fn size(&self) -> String {
        format!("{} hashes", self.hashes)
    }

    fn z0(&self) -> Vec<Fr> {
        vec![Fr::from(2)]
    }

    fn advance(&self, z: &[Fr], _index: u64) -> ((), Vec<Fr>) {
        let chain = (0..self.hashes).fold(z[0], |x, _| self.constants.hash(x, x));
        ((), vec![chain])
    }
}
