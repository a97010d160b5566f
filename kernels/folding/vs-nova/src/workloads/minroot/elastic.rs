//! MinRoot for elastic-folding: the circuit of the prover of it.

use std::sync::Arc;

use halo2curves::bn256::Fr;
use ivc_minroot::MinRootCircuit;

use super::MinRoot;
use crate::{
    elastic::{Backend, Elastic, ElasticWorkload, Stepped},
    side::Side,
};

impl Stepped<2> for MinRoot {
    type Circuit = MinRootCircuit;

    fn circuit(&self, roots: &Arc<[Fr]>) -> MinRootCircuit {
        MinRootCircuit::new(Arc::clone(roots))
    }

    fn values(&self) -> usize {
        self.iterations
    }
}

impl ElasticWorkload for MinRoot {
    fn elastic(&self, backend: Backend) -> Box<dyn Side<Self>> {
        Box::new(Elastic::new(self.clone(), backend))
    }
}
