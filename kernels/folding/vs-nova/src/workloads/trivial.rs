//! A step that leaves the state as it is: what recursion alone costs.

use elastic_folding::frontend::trivial;
use halo2curves::bn256::Fr;
use nova_snark::traits::circuit::TrivialCircuit;

use crate::{
    elastic::{Backend, Elastic, ElasticWorkload, Stepped},
    nova::NovaWorkload,
    side::Side,
    workload::Workload,
};

/// z stays z.
#[derive(Clone, Debug)]
pub(crate) struct Trivial;

impl Workload for Trivial {
    type Advice = ();

    fn name(&self) -> &'static str {
        "trivial"
    }

    fn size(&self) -> String {
        String::new()
    }

    fn z0(&self) -> Vec<Fr> {
        vec![Fr::from(2)]
    }

    fn advance(&self, z: &[Fr], _index: u64) -> ((), Vec<Fr>) {
        ((), z.to_vec())
    }
}

impl NovaWorkload for Trivial {
    type Circuit = TrivialCircuit<Fr>;

    fn circuit(&self, (): &()) -> Self::Circuit {
        TrivialCircuit::default()
    }
}

impl Stepped<1> for Trivial {
    type Circuit = trivial::Circuit<1, Fr>;

    fn circuit(&self, (): &()) -> Self::Circuit {
        trivial::Circuit::default()
    }

    fn values(&self) -> usize {
        0
    }
}

impl ElasticWorkload for Trivial {
    fn elastic(&self, backend: Backend) -> Box<dyn Side<Self>> {
        Box::new(Elastic::new(self.clone(), backend))
    }
}
