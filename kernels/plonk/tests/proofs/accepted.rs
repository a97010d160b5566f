//! Proofs of true statements are accepted.

use elastic_plonk::{Prover, ProverSHPLONK, Stage, create_proof};
use halo2_axiom::{
    halo2curves::{
        bn256::{Bn256, Fr},
        ff::Field,
    },
    plonk::{keygen_pk, keygen_pk2, keygen_vk_custom, verify_proof},
    poly::kzg::{multiopen::VerifierSHPLONK, strategy::SingleStrategy},
    transcript::TranscriptWriterBuffer,
};

use crate::support::{
    Gwc, Scheme, Setup, Shplonk, Writer, borrowed,
    mixed::{Mixed, Shape},
    params,
    poseidon_transcript::Poseidon,
    rng,
};

/// That a proof of the shape is accepted, and is of one seed alone.
fn check(k: u32, shape: Shape) {
    let setup = Setup::new(k, &Mixed::shape(shape));
    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
    assert!(setup.accepts(&proof, &instances), "{shape:?}");
    assert!(!setup.accepts_gwc(&proof, &instances), "{shape:?}");
    assert_eq!(proof, setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof"), "{shape:?}");
    assert_ne!(proof, setup.prove::<Shplonk, _>(2, &circuits, &instances).expect("a proof"), "{shape:?}");
}

#[test]
fn verifier_accepts_each_feature_alone_and_all_together() {
    let none = Shape::NONE;
    let lookups = Shape { lookups: true, steps: 18, ..none };
    check(5, none);
    check(6, lookups);
    check(5, Shape { copies: true, ..none });
    check(5, Shape { instances: true, ..none });
    check(5, Shape { copies: true, instances: true, ..none });
    check(5, Shape { challenge: true, ends_phase: true, ..none });
    check(6, Shape::ALL);
}

#[test]
fn verifier_accepts_gates_of_degree_3_to_9() {
    for degree in 3..=9 {
        check(5, Shape { degree, copies: true, ..Shape::NONE });
    }
}

#[test]
fn circuit_that_does_not_end_its_phases_is_synthesized_for_each() {
    check(5, Shape { challenge: true, ends_phase: false, ..Shape::NONE });
}

#[test]
fn verifier_accepts_the_other_multi_opening() {
    let setup = Setup::new(6, &Mixed::shape(Shape::ALL));
    let circuits = [Mixed::new(Shape::ALL, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let proof = setup.prove::<Gwc, _>(1, &circuits, &instances).unwrap();
    assert!(setup.accepts_gwc(&proof, &instances));
    assert!(!setup.accepts(&proof, &instances));
}

#[test]
fn verifier_accepts_several_circuits_in_one_proof() {
    let shape = Shape { challenge: false, ..Shape::ALL };
    let setup = Setup::new(6, &Mixed::shape(shape));
    let circuits: Vec<_> = (1..=3).map(|start| Mixed::new(shape, Fr::from(start))).collect();
    let instances: Vec<_> = circuits.iter().map(Mixed::instances).collect();
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap();
    assert!(setup.accepts(&proof, &instances));
    let mut exchanged = instances.clone();
    exchanged.swap(0, 1);
    assert!(!setup.accepts(&proof, &exchanged));
    let proof = setup.prove::<Gwc, _>(1, &circuits, &instances).unwrap();
    assert!(setup.accepts_gwc(&proof, &instances));
}

#[test]
fn verifier_accepts_a_poseidon_transcript_from_the_entry_of_halo2s_shape() {
    let params = params(6);
    let key = keygen_pk2(&params, &Mixed::shape(Shape::ALL), false).unwrap();
    let circuits = [Mixed::new(Shape::ALL, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let mut transcript = Poseidon::new(Vec::new());
    borrowed(&instances, |instances| {
        create_proof::<Scheme, ProverSHPLONK<'_, Bn256>, _, _, _, _>(
            &params,
            &key,
            &circuits,
            instances,
            rng(1),
            &mut transcript,
        )
    })
    .unwrap();
    let proof = transcript.bytes;
    let mut transcript = Poseidon::new(&proof[..]);
    let strategy = SingleStrategy::new(&params);
    borrowed(&instances, |instances| {
        verify_proof::<Scheme, VerifierSHPLONK<'_, Bn256>, _, _, _>(
            &params,
            key.get_vk(),
            strategy,
            instances,
            &mut transcript,
        )
    })
    .unwrap();
}

#[test]
fn prover_blinds_with_the_systems_randomness_and_reports_its_stages() {
    let shape = Shape::ALL;
    let setup = Setup::new(6, &Mixed::shape(shape));
    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let prove = || {
        let mut transcript = Writer::init(Vec::new());
        borrowed(&instances, |instances| {
            setup.prover.prove::<Shplonk, _, _, _>(&circuits, instances, &mut transcript)
        })
        .unwrap();
        transcript.finalize()
    };
    let (first, second) = (prove(), prove());
    assert!(setup.accepts(&first, &instances) && setup.accepts(&second, &instances));
    assert_ne!(first, second);

    let mut stages = Vec::new();
    let mut transcript = Writer::init(Vec::new());
    borrowed(&instances, |instances| {
        setup.prover.prove_with::<Shplonk, _, _, _>(
            &circuits,
            instances,
            rng(1),
            &mut transcript,
            &mut |stage, _| stages.push(stage),
        )
    })
    .unwrap();
    assert_eq!(stages, Stage::ALL);
}

#[test]
fn provers_of_several_keys_share_set_up_parameters() {
    let params = params(6);
    let srs = std::sync::Arc::new(elastic_plonk::Srs::new(&params).unwrap());
    for degree in [3, 6] {
        let shape = Shape { degree, ..Shape::ALL };
        let key = keygen_pk2(&params, &Mixed::shape(shape), false).unwrap();
        let setup = Setup { params: params.clone(), prover: Prover::with_srs(&srs, &key).unwrap(), key };
        let circuits = [Mixed::new(shape, Fr::ONE)];
        let instances = [circuits[0].instances()];
        let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).unwrap();
        assert!(setup.accepts(&proof, &instances));
    }
}

#[test]
fn verifier_accepts_keys_whose_selectors_are_compressed() {
    let (params, circuit) = (params(6), Mixed::new(Shape::ALL, Fr::from(3)));
    let vk = keygen_vk_custom(&params, &circuit, true).unwrap();
    assert!(vk.compress_selectors());
    let key = keygen_pk(&params, vk, &circuit).unwrap();
    let setup = Setup { prover: Prover::new(&params, &key).unwrap(), params, key };
    let instances = [circuit.instances()];
    let proof = setup.prove::<Shplonk, _>(1, &[circuit], &instances).unwrap();
    assert!(setup.accepts(&proof, &instances));
}
