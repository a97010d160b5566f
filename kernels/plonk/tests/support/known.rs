//! Proofs of known randomness, which halo2-axiom's prover makes too where its randomness is as known: `same_bytes` compares
//! them with it, whole, and `proofs` by what their transcripts end with.

use halo2_axiom::halo2curves::bn256::Fr;

use super::mixed::{Mixed, Shape};

/// A proof by SHPLONK of as many circuits, whose generator has the seed 7.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(crate) k: u32,
    pub(crate) shape: Shape,
    pub(crate) circuits: u64,
    /// A challenge that is squeezed when the proof is complete, as hexadecimal digits.
    pub(crate) ends_with: &'static str,
}

const fn known(k: u32, shape: Shape, circuits: u64, ends_with: &'static str) -> Known {
    Known { k, shape, circuits, ends_with }
}

const NONE: Shape = Shape::NONE;

/// halo2-axiom's prover writes instances of several circuits where its verifier does not read them, so those have none.
pub(crate) const KNOWN: [Known; 8] = [
    known(5, NONE, 1, "097e9acc057a025344b6cccdb80c2aebd5c4267fc40efde3223a0424ff41e68e"),
    known(
        6,
        Shape { lookups: true, steps: 18, ..NONE },
        1,
        "264d3cdbb03f225be8e24177b8715f110a2e5c050771daa788c6d7bf3a287385",
    ),
    known(
        5,
        Shape { copies: true, ..NONE },
        1,
        "285c11c5f26d8f067dd4389b8160efc8d2f8c3a2befe693b7af992a672087615",
    ),
    known(
        5,
        Shape { instances: true, ..NONE },
        1,
        "2ee4f6cace6d702d6181e9dd2e133de8b4b4cabeba07dc1768fcbe3f7ac73753",
    ),
    known(
        5,
        Shape { challenge: true, ends_phase: true, ..NONE },
        1,
        "04a11cb640db8e542bc76ae663762cd88a3f7437bb0cc0fc7895576d13e1c35d",
    ),
    known(6, Shape::ALL, 1, "009f821a9009295fc78e467ccb4099b683ba289b079123d884afec8e3f28d6eb"),
    known(
        7,
        Shape { degree: 9, steps: 60, ..Shape::ALL },
        1,
        "154ae0d11da71baf9f9a9ee5c8d40e1b80f210c66580707e7496cf1b1b42d789",
    ),
    known(
        6,
        Shape { instances: false, challenge: false, ..Shape::ALL },
        3,
        "05675a86381111367e68bbe66f2c9aa9e0e9982483287a6740abf2e37ceffef8",
    ),
];

impl Known {
    pub(crate) const SEED: u64 = 7;

    pub(crate) fn circuits(&self) -> Vec<Mixed> {
        (1..=self.circuits).map(|start| Mixed::new(self.shape, Fr::from(start))).collect()
    }

    pub(crate) fn instances(&self) -> Vec<Vec<Vec<Fr>>> {
        self.circuits().iter().map(Mixed::instances).collect()
    }
}
