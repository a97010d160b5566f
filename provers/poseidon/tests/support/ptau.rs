//! Powers-of-tau files, made here from a known secret.

use std::{
    fs,
    path::{Path, PathBuf},
};

use halo2_axiom::halo2curves::{
    bn256::{Fr, G1Affine, G2Affine},
    ff::Field,
    group::Curve,
    serde::SerdeObject,
};

/// The sections of a file, by type.
pub type Sections = Vec<(u32, Vec<u8>)>;

const BASE_MODULUS_HEX: &str = "47fd7cd8168c203c8dca7168916a81975d588181b64550b829a031e1724e6430";

/// The powers of `tau`, 2^`power` of them in the way that ceremonies count.
pub fn sections(tau: Fr, power: u32) -> Sections {
    let powers = |count: usize| std::iter::successors(Some(Fr::ONE), move |x| Some(x * tau)).take(count);
    let g1: Vec<u8> = powers((2 << power) - 1)
        .flat_map(|scalar| (G1Affine::generator() * scalar).to_affine().to_raw_bytes())
        .collect();
    let g2: Vec<u8> = powers(1 << power)
        .flat_map(|scalar| (G2Affine::generator() * scalar).to_affine().to_raw_bytes())
        .collect();
    let modulus = (0..32).map(|i| u8::from_str_radix(&BASE_MODULUS_HEX[2 * i..2 * i + 2], 16).unwrap());
    let header = 32_u32.to_le_bytes().into_iter().chain(modulus);
    let header = header.chain(power.to_le_bytes()).chain(power.to_le_bytes()).collect();
    vec![(1, header), (2, g1), (3, g2)]
}

/// A file that a ceremony could have written.
pub fn valid(tau: u64) -> Vec<u8> {
    file(&sections(Fr::from(tau), 5))
}

/// Sections as a file.
pub fn file(sections: &Sections) -> Vec<u8> {
    let mut bytes = b"ptau".to_vec();
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(u32::try_from(sections.len()).unwrap().to_le_bytes());
    for (kind, content) in sections {
        bytes.extend(kind.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        bytes.extend(content);
    }
    bytes
}

/// Writes a file for this test alone.
pub fn write(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.ptau"));
    fs::write(&path, bytes).unwrap();
    path
}
