//! Repeats `x^3 + x + 5` and proves it: `cargo run --release -p elastic-folding --example introductory -- KEY_FOLDER`.
//!
//! Keys of 2^19 points are derived on the first run, and loaded from the folder on later ones.

use std::error::Error;
use std::path::PathBuf;
use std::time::Instant;

use elastic_folding::prelude::bn256::{C1Affine, C1Scalar, C2Affine, C2Scalar, Proof, new_default_pp};
use elastic_folding::prelude::{CommitmentKey, IVC, trivial};

mod circuit;

use circuit::Cubic;

/// Keys of `2^KEY_SIZE` points.
const KEY_SIZE: usize = 19;
const PRIMARY_TABLE_SIZE: u32 = 17;
const SECONDARY_TABLE_SIZE: u32 = 17;
const STEPS: u64 = 5;

#[expect(unsafe_code, reason = "the folder of keys is one that only we write to")]
fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from(".cache"), PathBuf::from);
    println!("keys of 2^{KEY_SIZE} points from {}, or derived, which takes longer", folder.display());
    // SAFETY: the user names a folder of their own.
    let primary_key = unsafe { CommitmentKey::<C1Affine>::load_or_setup_cache(&folder, "bn256", KEY_SIZE)? };
    // SAFETY: as above.
    let secondary_key =
        unsafe { CommitmentKey::<C2Affine>::load_or_setup_cache(&folder, "grumpkin", KEY_SIZE)? };

    let (primary, secondary) = (Cubic, trivial::Circuit::<1, C2Scalar>::default());
    let pp = new_default_pp::<1, _, 1, _>(
        SECONDARY_TABLE_SIZE,
        &primary_key,
        &primary,
        PRIMARY_TABLE_SIZE,
        &secondary_key,
        &secondary,
    )?;

    let (z_0, secondary_z_0) = ([C1Scalar::from(3)], [C2Scalar::from(0)]);
    let mut ivc = IVC::new(&pp, &primary, z_0, &secondary, secondary_z_0, true)?;
    for step in 1..STEPS {
        let start = Instant::now();
        ivc.fold_step(&pp, &primary, &secondary)?;
        println!("step {step}: {:?}", start.elapsed());
    }
    ivc.verify(&pp)?;

    // What another party does, who has the same parameters and these bytes.
    let bytes = ivc.proof().to_bytes();
    let proof = Proof::<1, 1>::from_bytes(&bytes, &pp)?;
    let (output, _) = proof.verify_with(&pp, STEPS, &z_0, &secondary_z_0)?;
    println!("{STEPS} steps from {:?} give {:?}; the proof has {} bytes", z_0[0], output[0], bytes.len());
    Ok(())
}
