use super::*;

#[test]
fn compresses_every_number_of_steps_and_continues_the_computation() {
    let mut ivc = SETUP.start();
    let [mut x, mut y] = z_0();
    for steps in 1..=4 {
        if steps > 1 {
            SETUP.step(&mut ivc);
        }
        for _ in 0..QUINTIC.iterations {
            [x, y] = [(x + y).pow([5]), x];
        }
        let proof = SETUP.compress(&ivc);
        assert_eq!(SETUP.verify(&proof, steps).unwrap(), ([x, y], z2_0()), "{steps} steps");
        assert_eq!((proof.primary_output(), proof.secondary_output()), ([x, y], z2_0()));
        assert_eq!(Compressed::from_bytes(&proof.to_bytes()).unwrap(), proof);
    }
    ivc.verify(&SETUP.pp).unwrap();
}

#[test]
fn a_computation_with_lookups_is_compressed() {
    let setup = Setup::new(&LooksUp, &POWERS);
    for steps in [1, 3] {
        let ivc = setup.after(steps);
        ivc.verify(&setup.pp).unwrap();
        let proof = setup.compress(&ivc);
        assert_eq!(proof.last.len(), 2, "lookups take a round of their own");
        assert_eq!(setup.verify(&proof, steps).unwrap(), (z_0(), z2_0()));
        assert!(setup.verify(&proof, steps + 1).is_err());
    }
}

#[test]
fn a_verifiers_key_that_was_sent_verifies() {
    let bytes = SETUP.verifier.to_bytes();
    let key = Key::from_bytes(&bytes, Spec::reference().unwrap()).unwrap();
    assert_eq!((key.digest(), key.to_bytes()), (SETUP.verifier.digest(), bytes));
    let (ivc, proof) = &*THREE;
    let outputs = proof.verify(&key, 3, &z_0(), &z2_0()).unwrap();
    assert_eq!(outputs, (ivc.primary_output(), ivc.secondary_output()));
}
