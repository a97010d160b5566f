//! Proofs of this prover and of halo2-axiom's with the same randomness, step by step. halo2-axiom draws its random polynomial
//! from a generator of its threads and orders A' by a map that is seeded at random, so what this is compiled with is a copy in
//! which both are otherwise: test/long/plonk-proofs-are-halo2s-byte-for-byte.test.ts makes it.

#[path = "../support/mod.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod support;

mod recorder;

use elastic_plonk::{ProverGWC, ProverSHPLONK};
use halo2_axiom::{halo2curves::bn256::Bn256, plonk::create_proof};
use recorder::Recorder;
use support::{
    Gwc, Scheme, Setup, Shplonk, borrowed,
    known::{KNOWN, Known},
    mixed::{Mixed, Shape},
    rng,
};

macro_rules! compare {
    ($known:expr, $halo2:ty, $ours:ty) => {{
        let known: Known = $known;
        let setup = Setup::new(known.k, &Mixed::shape(known.shape));
        let (circuits, instances) = (known.circuits(), known.instances());
        let (mut theirs, mut ours) = (Recorder::default(), Recorder::default());
        borrowed(&instances, |instances| {
            create_proof::<Scheme, $halo2, _, _, _, _>(
                &setup.params,
                &setup.key,
                &circuits,
                instances,
                rng(Known::SEED),
                &mut theirs,
            )
            .unwrap();
            setup
                .prover
                .prove_with::<$ours, _, _, _>(&circuits, instances, rng(Known::SEED), &mut ours, &mut ())
                .unwrap();
        });
        let at = theirs.steps().iter().zip(ours.steps()).position(|(theirs, ours)| theirs != ours);
        assert_eq!(at.map(|at| (at, &theirs.steps()[at], &ours.steps()[at])), None, "{known:?}");
        assert_eq!(theirs.steps().len(), ours.steps().len(), "{known:?}");
        (theirs.end(), theirs.finalize() == ours.finalize())
    }};
}

#[test]
fn shplonk_proofs_are_halo2s_step_by_step() {
    let ends = KNOWN.map(|known| {
        let (end, same) = compare!(known, ProverSHPLONK<'_, Bn256>, Shplonk);
        assert!(same, "{known:?}");
        end
    });
    assert_eq!(ends, KNOWN.map(|known| known.ends_with.to_owned()));
}

#[test]
fn gwc_proofs_are_halo2s_step_by_step() {
    for known in KNOWN {
        assert!(compare!(known, ProverGWC<'_, Bn256>, Gwc).1, "{known:?}");
    }
}

#[test]
fn proofs_of_each_degree_are_halo2s_step_by_step() {
    for degree in 3..=9 {
        let shape = Shape { degree, ..Shape::ALL };
        assert!(
            compare!(Known { k: 6, shape, circuits: 1, ends_with: "" }, ProverSHPLONK<'_, Bn256>, Shplonk).1
        );
    }
}

#[test]
fn a_proof_of_many_rows_is_halo2s_step_by_step() {
    let shape = Shape { steps: 4000, ..Shape::ALL };
    assert!(
        compare!(Known { k: 12, shape, circuits: 1, ends_with: "" }, ProverSHPLONK<'_, Bn256>, Shplonk).1
    );
}
