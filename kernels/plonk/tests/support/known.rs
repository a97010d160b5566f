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
pub(crate) const KNOWN: [Known; 9] = [
    known(5, NONE, 1, "1a099d759e27a28307f31036daf4426ad03ed5d21af45cb7eba5f83dc040c008"),
    known(
        6,
        Shape { lookups: true, steps: 18, ..NONE },
        1,
        "1dffd8eaac37ed4219c2d568b1e2e98af6e0c3d6c2d9ba6b764d5d5b5fccbbb5",
    ),
    known(
        5,
        Shape { copies: true, ..NONE },
        1,
        "156654c6b387ad57171b8477b03761e857797ad5e09d8a55dc3a1b534bf1db2f",
    ),
    known(
        5,
        Shape { instances: true, ..NONE },
        1,
        "099b7d9d193bc1daeb9c259f288d78cd04ccdd558626b93b95c4362417730b81",
    ),
    known(
        5,
        Shape { challenge: true, ends_phase: true, ..NONE },
        1,
        "0bbb04f501e6d3bd8d5d1d1f432b7e8e72d5371ff652829ee1ccbf59fa502a4b",
    ),
    known(6, Shape::ALL, 1, "2498f1e64c2e1074f3cf1be1d22172ae1de3901e688ac8e4d177fb59efb38571"),
    known(
        7,
        Shape { degree: 9, steps: 60, ..Shape::ALL },
        1,
        "1e768fc9c49838319adc6ab615375c483919647b24dba9ac21c4c7d9171d5b86",
    ),
    known(
        6,
        Shape { instances: false, challenge: false, ..Shape::ALL },
        3,
        "26a2f5f0315b34d1f306566e614c3cca7c213552d507a1f9ad452e8214c608a4",
    ),
    // More coefficients of the random polynomial than one stream has.
    known(11, NONE, 1, "1fcabc1f666f787cd5a1711d897f3d01bce48d5e8b6250a0f3689350efd6b24f"),
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
