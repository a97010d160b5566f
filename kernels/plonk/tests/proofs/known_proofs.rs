//! Proofs of known randomness stay what they are, which is what halo2-axiom makes.

use halo2_axiom::{
    halo2curves::ff::PrimeField,
    transcript::{Transcript, TranscriptWriterBuffer},
};

use crate::support::{
    Setup, Shplonk, Writer, borrowed,
    known::{KNOWN, Known},
    mixed::Mixed,
    rng,
};

#[test]
fn proofs_of_known_randomness_are_halo2s() {
    let ends = KNOWN.map(|known| end(&known, &Setup::new(known.k, &Mixed::shape(known.shape))));
    assert_eq!(ends, KNOWN.map(|known| known.ends_with.to_owned()));
}

pub(crate) fn end(known: &Known, setup: &Setup) -> String {
    let mut transcript = Writer::init(Vec::new());
    borrowed(&known.instances(), |instances| {
        setup.prover.prove_with::<Shplonk, _, _, _>(
            &known.circuits(),
            instances,
            rng(Known::SEED),
            &mut transcript,
            &mut (),
        )
    })
    .expect("a proof");
    let end = *transcript.squeeze_challenge_scalar::<()>();
    end.to_repr().as_ref().iter().rev().map(|byte| format!("{byte:02x}")).collect()
}
