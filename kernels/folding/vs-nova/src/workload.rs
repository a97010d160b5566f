//! What a step computes, whoever proves it.

use halo2curves::bn256::Fr;

/// A function that is iterated, and its plain twin.
pub(crate) trait Workload: Clone + Send + Sync + 'static {
    /// What a prover of one step is given in addition to the state: values that are slow to find and quick to check.
    /// Cheap to clone.
    type Advice: Clone + Send + Sync;

    /// Its name in the results.
    fn name(&self) -> &'static str;

    /// What a step does how often; empty where it does nothing.
    fn size(&self) -> String;

    /// The state before the first step.
    fn z0(&self) -> Vec<Fr>;

    /// Advice for step `index`, counted from 0, which begins in `z`, and the state after it.
    fn advance(&self, z: &[Fr], index: u64) -> (Self::Advice, Vec<Fr>);
}

/// The plain function, step after step.
pub(crate) struct Twin<'a, W> {
    workload: &'a W,
    z: Vec<Fr>,
    steps: usize,
}

impl<'a, W: Workload> Twin<'a, W> {
    pub(crate) fn new(workload: &'a W) -> Self {
        Self { workload, z: workload.z0(), steps: 0 }
    }

    /// Advice for the next step, which is made here.
    pub(crate) fn advance(&mut self) -> W::Advice {
        let (advice, z) = self.workload.advance(&self.z, self.steps as u64);
        self.z = z;
        self.steps += 1;
        advice
    }

    /// The state after the steps made so far.
    pub(crate) fn z(&self) -> &[Fr] {
        &self.z
    }

    /// Steps made so far.
    pub(crate) fn steps(&self) -> usize {
        self.steps
    }
}
