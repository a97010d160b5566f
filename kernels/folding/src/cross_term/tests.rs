use std::convert::Infallible;

use halo2curves::bn256::{G1, G1Affine};
use halo2curves::ff::{Field as _, PrimeField as _};
use halo2curves::group::{Curve as _, Group as _};
use proptest::prelude::*;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng as _};
use rand_core::RngCore as _;

use super::{Accumulator, Error, Proof, RelaxedRelation, Witness, prove, verify};
use crate::relation::Instance;
use crate::relation::samples::{F, Shape, shape};

struct Run {
    rng: ChaCha20Rng,
    shape: Shape,
    relaxed: RelaxedRelation<F>,
    bases: Vec<G1>,
    accumulator: Accumulator<G1Affine>,
    witness: Witness<F>,
}

impl Run {
    fn start(seed: u64, degrees: &[usize], rows: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let shape = shape(&mut rng, degrees, rows);
        let relaxed = RelaxedRelation::new(&shape.relation);
        let longest = shape.relation.layout().len().max(shape.relation.numbers());
        let bases = (0..longest).map(|_| G1::random(&mut rng)).collect();
        let accumulator = Accumulator::empty(shape.relation.layout());
        let witness = Witness::empty(&relaxed);
        Self { rng, shape, relaxed, bases, accumulator, witness }
    }

    fn commit_each(&self, vectors: &[Vec<F>]) -> Vec<G1Affine> {
        vectors.iter().map(|values| self.commit(values)).collect()
    }

    fn commit(&self, values: &[F]) -> G1Affine {
        self.bases.iter().zip(values).map(|(base, value)| base * value).sum::<G1>().to_affine()
    }

    fn instance(&self, vector: &[F]) -> Instance<G1Affine> {
        Instance {
            commitments: vec![self.commit(&vector[2..])],
            publics: vec![vector[1]],
            challenges: vec![],
        }
    }

    fn satisfying(&mut self) -> Vec<F> {
        let public = F::random(&mut self.rng);
        self.shape.assign(&mut self.rng, public)
    }

    fn fold(&mut self, incoming: &[F]) {
        let drawn = u128::from(self.rng.next_u64()) << 64 | u128::from(self.rng.next_u64());
        let mut witness = self.witness.clone();
        let commit = |terms: &[Vec<F>]| Ok::<_, Infallible>(self.commit_each(terms));
        let Ok((proof, challenge)) = prove(&self.relaxed, &mut witness, incoming, commit, |_| drawn);
        let instance = self.instance(incoming);
        self.accumulator =
            verify(self.relaxed.terms(), &self.accumulator, &instance, &proof, challenge).unwrap();
        self.witness = witness;
    }

    fn holds(&self) -> bool {
        self.accumulator.claim_holds(&self.relaxed, &self.witness.vector, &self.witness.error)
            && self.accumulator.instance == self.instance(&self.witness.vector)
            && self.accumulator.error == self.commit(&self.witness.error)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn a_homogeneous_constraint_is_the_power_of_u_times_the_constraint(seed: u64, degree in 1_usize..7) {
        let mut run = Run::start(seed, &[degree, 3], 5);
        let u = F::random(&mut run.rng);
        let z: Vec<F> = run.satisfying().iter().map(|_| F::random(&mut run.rng)).collect();
        let scaled = |factor: F| std::iter::once(F::ONE).chain(z[1..].iter().copied()).map(|value| value * factor).collect::<Vec<_>>();
        let power = u.pow([run.shape.relation.degree() as u64]);
        let expected: Vec<_> = run.shape.relation.values(&scaled(F::ONE)).iter().map(|value| *value * power).collect();
        prop_assert_eq!(run.relaxed.relation().values(&scaled(u)), expected);
    }

    #[test]
    fn a_claim_holds_if_all_that_was_folded_is_satisfied(seed: u64, rows in 1_usize..30, degree in 1_usize..7) {
        let mut run = Run::start(seed, &[degree, 2, 1], rows);
        prop_assert!(run.holds());
        for _ in 0..3 {
            let vector = run.satisfying();
            run.fold(&vector);
            prop_assert!(run.holds());
        }
    }

    #[test]
    fn a_claim_never_holds_after_one_unsatisfied_row(seed: u64, rows in 1_usize..30, degree in 1_usize..7, at in 0_usize..3) {
        // Of a degree below the relation's, unless that is 1 or 2.
        let mut run = Run::start(seed, &[degree, 2], rows);
        for step in 0..3 {
            let mut vector = run.satisfying();
            if step == at {
                let entry = vector.len() - 1 - usize::try_from(seed % (rows as u64)).unwrap();
                vector[entry] += F::ONE;
            }
            run.fold(&vector);
            prop_assert_eq!(run.holds(), step < at);
        }
    }
}

#[test]
fn each_part_of_an_accumulator_is_bound() {
    let mut run = Run::start(7, &[3, 2], 9);
    for _ in 0..2 {
        let vector = run.satisfying();
        run.fold(&vector);
    }
    let honest = run.accumulator.clone();
    let changes: [fn(&mut Accumulator<G1Affine>); 4] = [
        |accumulator| accumulator.scale += F::ONE,
        |accumulator| accumulator.error = G1Affine::generator(),
        |accumulator| accumulator.instance.publics[0] += F::ONE,
        |accumulator| accumulator.instance.commitments[0] = G1Affine::generator(),
    ];
    for change in changes {
        change(&mut run.accumulator);
        assert!(!run.holds());
        run.accumulator = honest.clone();
    }
    for entry in 0..run.witness.error.len() {
        run.witness.error[entry] += F::ONE;
        assert!(!run.holds(), "error {entry}");
        run.witness.error[entry] -= F::ONE;
    }
    for entry in 0..run.witness.vector.len() {
        run.witness.vector[entry] += F::ONE;
        assert!(!run.holds(), "entry {entry}");
        run.witness.vector[entry] -= F::ONE;
    }
    assert!(run.holds());
}

#[test]
fn the_highest_challenge_folds_too() {
    let mut run = Run::start(8, &[5], 3);
    let vector = run.satisfying();
    let mut witness = run.witness.clone();
    let commit = |terms: &[Vec<F>]| Ok::<_, Infallible>(run.commit_each(terms));
    let Ok((proof, challenge)) = prove(&run.relaxed, &mut witness, &vector, commit, |_| u128::MAX);
    assert_eq!(proof.terms.len(), 4);
    assert_eq!(witness.vector[0], F::from_u128(challenge));
    let instance = run.instance(&vector);
    run.accumulator = verify(4, &run.accumulator, &instance, &proof, challenge).unwrap();
    run.witness = witness;
    assert!(run.holds());
}

#[test]
fn a_proof_of_another_shape_is_refused() {
    let mut run = Run::start(9, &[3], 4);
    let vector = run.satisfying();
    let instance = run.instance(&vector);
    let proof = |count| Proof { terms: vec![G1Affine::generator(); count] };
    for count in [0, 1, 3] {
        let refusal = verify(2, &run.accumulator, &instance, &proof(count), 1).unwrap_err();
        assert_eq!(refusal, Error { of: "cross terms", expected: 2, found: count });
    }
    let mut longer = instance;
    longer.publics.push(F::ONE);
    let refusal = verify(2, &run.accumulator, &longer, &proof(2), 1).unwrap_err();
    assert_eq!(refusal, Error { of: "public inputs", expected: 1, found: 2 });
}
