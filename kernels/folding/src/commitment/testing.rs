//! Keys that tests share. A key is a prefix of each larger one of its label, so the points are derived once.

use std::sync::LazyLock;

use halo2curves::{bn256, grumpkin};

use super::generators::Seed;
use super::{CommitmentKey, Curve};

const BN256: &[u8] = b"bn256";
const GRUMPKIN: &[u8] = b"grumpkin";

static ON_BN256: LazyLock<CommitmentKey<bn256::G1Affine>> =
    LazyLock::new(|| CommitmentKey::setup(17, BN256).unwrap());
static ON_GRUMPKIN: LazyLock<CommitmentKey<grumpkin::G1Affine>> =
    LazyLock::new(|| CommitmentKey::setup(14, GRUMPKIN).unwrap());

fn prefix<C: Curve>(key: &CommitmentKey<C>, k: usize, label: &[u8]) -> CommitmentKey<C> {
    CommitmentKey::transparent(key.points()[..1 << k].to_vec(), k, &Seed::new::<C>(label))
}

/// The key of this size, at most 17, that `setup` makes of the label "bn256".
pub(crate) fn on_bn256(k: usize) -> CommitmentKey<bn256::G1Affine> {
    prefix(&ON_BN256, k, BN256)
}

/// The key of this size, at most 14, that `setup` makes of the label "grumpkin".
pub(crate) fn on_grumpkin(k: usize) -> CommitmentKey<grumpkin::G1Affine> {
    prefix(&ON_GRUMPKIN, k, GRUMPKIN)
}

#[test]
fn a_shared_key_is_the_one_that_its_label_gives() {
    assert_eq!(on_bn256(5).digest(), CommitmentKey::<bn256::G1Affine>::setup(5, BN256).unwrap().digest());
    assert_eq!(
        on_grumpkin(5).digest(),
        CommitmentKey::<grumpkin::G1Affine>::setup(5, GRUMPKIN).unwrap().digest()
    );
}
