use halo2curves::bn256::{G1, G1Affine};
use halo2curves::ff::Field as _;
use halo2curves::group::{Curve as _, Group as _};
use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};

use super::super::{Accumulator, Error, FoldShape, Folded, Proof, prove, verify};
use crate::poseidon::{PoseidonRo, RandomOracle, RandomOracleFor, Tag};
use crate::relation::samples::{F, Shape, shape};
use crate::relation::{Instance, Relation};

type Ro = PoseidonRo<5, 4>;

/// A relation, bases for its one round, and what was folded so far.
struct Run {
    rng: ChaCha20Rng,
    shape: Shape,
    bases: Vec<G1>,
    accumulator: Accumulator<G1Affine>,
    vector: Vec<F>,
}

/// The transcript with all instances absorbed. Commitments enter by one coordinate, which is enough for a test.
fn oracle(
    accumulator: Option<&Accumulator<G1Affine>>,
    incoming: &[&Instance<G1Affine>],
) -> impl RandomOracle<F> + use<> {
    let constants = <Ro as RandomOracleFor<F>>::reference().unwrap();
    let mut oracle = <Ro as RandomOracleFor<F>>::start(&constants, Tag::new("test"));
    let absorb = |instance: &Instance<G1Affine>, oracle: &mut <Ro as RandomOracleFor<F>>::Oracle| {
        let x = instance.commitments[0].x.to_bytes();
        RandomOracle::absorb(oracle, F::from_bytes(&x).unwrap_or(F::from(u64::from(x[0]))));
        oracle.absorb_all(&instance.publics);
    };
    if let Some(accumulator) = accumulator {
        absorb(&accumulator.instance, &mut oracle);
        oracle.absorb_all(&accumulator.betas);
        oracle.absorb(accumulator.error);
    }
    for instance in incoming {
        absorb(instance, &mut oracle);
    }
    oracle
}

impl Run {
    fn start(seed: u64, rows: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let shape = shape(&mut rng, &[5, 2, 1, 3], rows);
        let bases = (2..shape.relation.layout().len()).map(|_| G1::random(&mut rng)).collect();
        let vector = shape.assign(&mut rng, F::from(3));
        let mut run = Self { rng, shape, bases, vector: vec![], accumulator: empty() };
        run.lift(vector);
        run
    }

    fn relation(&self) -> &Relation<F> {
        &self.shape.relation
    }

    fn commit(&self, vector: &[F]) -> G1Affine {
        self.bases.iter().zip(&vector[2..]).map(|(base, value)| base * value).sum::<G1>().to_affine()
    }

    fn instance(&self, vector: &[F]) -> Instance<G1Affine> {
        Instance { commitments: vec![self.commit(vector)], publics: vec![vector[1]], challenges: vec![] }
    }

    fn satisfying(&mut self) -> Vec<F> {
        let public = F::random(&mut self.rng);
        self.shape.assign(&mut self.rng, public)
    }

    fn lift(&mut self, vector: Vec<F>) {
        let instance = self.instance(&vector);
        let mut oracle = oracle(None, &[&instance]);
        self.accumulator = Accumulator::lift(&FoldShape::new(self.relation(), 1), instance, &mut oracle);
        self.vector = vector;
    }

    /// Folds as an honest prover does, and asserts that the verifier comes to the same.
    fn fold(&mut self, incoming: &[Vec<F>]) {
        let instances: Vec<_> = incoming.iter().map(|vector| self.instance(vector)).collect();
        let pairs: Vec<_> =
            instances.iter().zip(incoming).map(|(instance, vector)| (instance, vector.as_slice())).collect();
        let instances: Vec<_> = instances.iter().collect();
        let transcript = || oracle(Some(&self.accumulator), &instances);
        let old = (&self.accumulator, self.vector.as_slice());
        let Folded { proof, accumulator, vector, .. } =
            prove(self.relation(), old, &pairs, &mut transcript());
        let shape = FoldShape::new(self.relation(), incoming.len());
        let verified = verify(shape, &self.accumulator, &instances, &proof, &mut transcript()).unwrap();
        assert_eq!(verified, accumulator);
        (self.accumulator, self.vector) = (accumulator, vector);
    }

    /// What a verifier of the accumulator checks.
    fn holds(&self) -> bool {
        self.accumulator.claim_holds(self.relation(), &self.vector)
            && self.accumulator.instance == self.instance(&self.vector)
    }
}

fn empty() -> Accumulator<G1Affine> {
    let instance = Instance { commitments: vec![], publics: vec![], challenges: vec![] };
    Accumulator { instance, betas: vec![], error: F::ZERO }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_claim_holds_if_all_that_was_folded_is_satisfied(seed: u64, rows in 1_usize..40, incoming in 1_usize..5) {
        let mut run = Run::start(seed, rows);
        prop_assert!(run.holds());
        for _ in 0..3 {
            let vectors: Vec<_> = (0..incoming).map(|_| run.satisfying()).collect();
            run.fold(&vectors);
            prop_assert!(run.holds());
        }
    }

    #[test]
    fn a_claim_never_holds_after_one_unsatisfied_row(seed: u64, rows in 1_usize..40, incoming in 1_usize..4, at in 0_usize..4) {
        let mut run = Run::start(seed, rows);
        for step in 0..4 {
            let mut vectors: Vec<_> = (0..incoming).map(|_| run.satisfying()).collect();
            if step == at {
                let entry = vectors[0].len() - 1 - usize::try_from(seed % 7).unwrap() % rows;
                vectors[0][entry] += F::ONE;
            }
            run.fold(&vectors);
            prop_assert_eq!(run.holds(), step < at);
        }
    }
}

#[test]
fn a_first_instance_that_is_not_satisfied_is_found_for_a_drawn_b_only() {
    let mut run = Run::start(1, 20);
    let mut vector = run.satisfying();
    *vector.last_mut().unwrap() += F::ONE;
    run.lift(vector);
    assert!(!run.holds());
    // A prover that may choose b claims next to nothing: with b = 0 only the first constraint counts.
    run.accumulator.betas.fill(F::ZERO);
    assert!(run.holds());
}

#[test]
fn each_part_of_an_accumulator_is_bound() {
    let mut run = Run::start(2, 20);
    let vectors = [run.satisfying()];
    run.fold(&vectors);
    let honest = (run.accumulator.clone(), run.vector.clone());
    for beta in 0..honest.0.betas.len() {
        run.accumulator.betas[beta] += F::ONE;
        assert!(!run.holds(), "beta {beta}");
        run.accumulator = honest.0.clone();
    }
    run.accumulator.error += F::ONE;
    assert!(!run.holds());
    run.accumulator = honest.0.clone();
    run.accumulator.instance.publics[0] += F::ONE;
    assert!(!run.holds());
    run.accumulator = honest.0.clone();
    run.accumulator.instance.commitments[0] = G1Affine::generator();
    assert!(!run.holds());
    run.accumulator = honest.0;
    for entry in 1..honest.1.len() {
        run.vector[entry] += F::ONE;
        assert!(!run.holds(), "entry {entry}");
        run.vector[entry] = honest.1[entry];
    }
}

#[test]
fn a_wrong_error_cannot_be_healed_by_the_next_fold() {
    let mut run = Run::start(3, 20);
    run.accumulator.error = F::from(5);
    let vectors = [run.satisfying()];
    run.fold(&vectors);
    assert!(!run.holds());
}

#[test]
fn every_coefficient_of_a_proof_is_bound() {
    let mut run = Run::start(4, 12);
    let vector = run.satisfying();
    let instance = run.instance(&vector);
    let transcript = || oracle(Some(&run.accumulator), &[&instance]);
    let old = (&run.accumulator, run.vector.as_slice());
    let Folded { proof: honest, vector: folded, .. } =
        prove(run.relation(), old, &[(&instance, &vector)], &mut transcript());
    let shape = FoldShape::new(run.relation(), 1);
    let holds = |proof: &Proof<F>| {
        let accumulator = verify(shape, &run.accumulator, &[&instance], proof, &mut transcript()).unwrap();
        // The prover folds its vector with the challenge that its own proof leads to.
        let gamma =
            (accumulator.instance.publics[0] - run.vector[1]) * (vector[1] - run.vector[1]).invert().unwrap();
        let refolded: Vec<_> =
            run.vector.iter().zip(&vector).map(|(old, new)| *old + gamma * (*new - old)).collect();
        assert_eq!(accumulator.instance, run.instance(&refolded));
        accumulator.claim_holds(run.relation(), &refolded)
    };
    assert!(holds(&honest));
    assert_eq!(folded.len(), vector.len());
    for index in 0..honest.perturbator.len() {
        let mut changed = honest.clone();
        changed.perturbator[index] += F::ONE;
        assert!(!holds(&changed), "perturbator {index}");
    }
    for index in 0..honest.quotient.len() {
        let mut changed = honest.clone();
        changed.quotient[index] += F::ONE;
        assert!(!holds(&changed), "quotient {index}");
    }
}

#[test]
fn a_proof_of_another_shape_is_refused() {
    let mut run = Run::start(5, 12);
    let vector = run.satisfying();
    let instance = run.instance(&vector);
    let shape = FoldShape::new(run.relation(), 1);
    let honest =
        Proof { perturbator: vec![F::ONE; shape.betas], quotient: vec![F::ONE; shape.quotient_len()] };
    let refusal = |change: fn(&mut Proof<F>, &mut Instance<G1Affine>, &mut Accumulator<G1Affine>)| {
        let (mut proof, mut instance, mut accumulator) =
            (honest.clone(), instance.clone(), run.accumulator.clone());
        change(&mut proof, &mut instance, &mut accumulator);
        let mut oracle = oracle(None, &[]);
        let Err(Error::Shape { of, .. }) = verify(shape, &accumulator, &[&instance], &proof, &mut oracle)
        else {
            panic!("it was accepted")
        };
        of
    };
    assert_eq!(refusal(|proof, _, _| proof.perturbator.push(F::ONE)), "coefficients of the perturbator");
    assert_eq!(refusal(|proof, _, _| proof.perturbator.truncate(1)), "coefficients of the perturbator");
    assert_eq!(refusal(|proof, _, _| proof.quotient.push(F::ONE)), "coefficients of the quotient");
    assert_eq!(refusal(|proof, _, _| proof.quotient.truncate(1)), "coefficients of the quotient");
    assert_eq!(refusal(|_, instance, _| instance.commitments.clear()), "commitments");
    assert_eq!(refusal(|_, instance, _| instance.publics.push(F::ONE)), "public inputs");
    assert_eq!(refusal(|_, _, accumulator| accumulator.instance.challenges.push(F::ONE)), "challenges");
    assert_eq!(refusal(|_, _, accumulator| accumulator.betas.truncate(1)), "betas");
    let two = verify(shape, &run.accumulator, &[&instance; 2], &honest, &mut oracle(None, &[]));
    assert!(matches!(two, Err(Error::Shape { of: "instances", .. })));
}
