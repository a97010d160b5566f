//! Keys from files that are not as they were written, and keys of other circuits.

use std::ops::Range;

use elastic_plonk::{Error, Prover};
use halo2_axiom::{
    SerdeFormat,
    halo2curves::bn256::{Fr, G1Affine},
    plonk::ProvingKey,
};

use crate::support::{
    Setup, Shplonk,
    mixed::{Mixed, Shape},
};

#[test]
fn corrupt_keys_are_errors_or_make_proofs_that_nobody_accepts() {
    let shape = Shape { challenge: false, ..Shape::ALL };
    let setup = Setup::new(6, &Mixed::shape(shape));
    let circuits = [Mixed::new(shape, Fr::from(3))];
    let instances = [circuits[0].instances()];
    let proof = setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof");
    let bytes = setup.key.to_bytes(SerdeFormat::RawBytesUnchecked);
    let (mut corrupt, mut made) = (0, 0);
    let (mut others, mut highest): (Vec<usize>, Vec<usize>) = Default::default();
    for range in elements(&setup.key, bytes.len()) {
        others.extend(range.clone().step_by(1777));
        highest.extend(range.skip(31).step_by(32 * 50));
    }
    for at in others.into_iter().chain(highest) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x80;
        let key =
            ProvingKey::<G1Affine>::from_bytes::<Mixed>(&changed, SerdeFormat::RawBytesUnchecked, shape)
                .expect("a key of as many elements");
        let prover = match Prover::new(&setup.params, &key) {
            Ok(prover) => prover,
            Err(Error::CorruptKey(_)) => {
                corrupt += 1;
                continue;
            }
            Err(other) => panic!("byte {at}: {other}"),
        };
        let of_changed = Setup { params: setup.params.clone(), key, prover };
        if let Ok(other) = of_changed.prove::<Shplonk, _>(1, &circuits, &instances) {
            made += 1;
            assert!(other == proof || !setup.accepts(&other, &instances), "byte {at}");
        }
    }
    assert!(corrupt > 3 && made > 3, "{corrupt}, {made}");
    assert_eq!(setup.prove::<Shplonk, _>(1, &circuits, &instances).expect("a proof"), proof);
}

/// Where the elements of columns are in a key's file, in which lengths and the verifying key are before them. A file whose lengths
/// are corrupt ends halo2-axiom's reader, and the program.
fn elements(key: &ProvingKey<G1Affine>, end: usize) -> Vec<Range<usize>> {
    let (length, column) = (4, key.l0().values().len() * 32);
    let [fixed, permuted] = [key.fixed_values().len(), key.permutation().polys().len()];
    let mut at = key.get_vk().to_bytes(SerdeFormat::RawBytesUnchecked).len();
    let mut ranges = Vec::new();
    // l_0, l_last and l_active are no lists.
    for (columns, before) in
        [(3, 0), (fixed, length), (fixed, length), (permuted, length), (permuted, length)]
    {
        at += before;
        for _ in 0..columns {
            ranges.push(at + length..at + length + column);
            at += length + column;
        }
    }
    assert_eq!(at, end);
    ranges
}

#[test]
fn prover_rejects_a_circuit_whose_shape_is_not_its_keys() {
    let setup = Setup::new(6, &Mixed::shape(Shape::ALL));
    let right = Mixed::new(Shape::ALL, Fr::from(3));
    let instances = [right.instances()];
    let others = [
        Shape { lookups: false, ..Shape::ALL },
        Shape { copies: false, ..Shape::ALL },
        Shape { challenge: false, ..Shape::ALL },
        Shape { instances: false, ..Shape::ALL },
    ];
    for shape in others {
        let result = setup.prove::<Shplonk, _>(1, &[Mixed::new(shape, Fr::from(3))], &instances);
        assert!(matches!(result, Err(Error::OtherCircuit { .. })), "{shape:?}: {result:?}");
    }
    // Of other constraints alone: there is a proof, which nobody accepts.
    let other = Mixed::new(Shape { degree: 4, ..Shape::ALL }, Fr::from(3));
    let result = setup.prove::<Shplonk, _>(1, &[other], &instances);
    assert!(!result.is_ok_and(|proof| setup.accepts(&proof, &instances)));
    let proof = setup.prove::<Shplonk, _>(1, &[right], &instances).expect("a proof");
    assert!(setup.accepts(&proof, &instances));
}
