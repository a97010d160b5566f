//! A step that leaves the state as it is: what recursion alone costs.

use halo2curves::bn256::Fr;
use nova_snark::traits::circuit::TrivialCircuit;

use crate::{nova::NovaWorkload, workload::Workload};

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
