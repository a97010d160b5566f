//! What can be wrong with a key, or with a use of one.

use std::io;
use std::path::{Path, PathBuf};

use super::key::KEY_SIZE_MAX;
use crate::acceleration;

/// A commitment key that cannot be had, or not used so.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A vector is longer than the key.
    #[error(
        "a vector up to position {end} needs a commitment key of size {needed_k} (2^{needed_k} points); \
         this key has size {k}"
    )]
    TooLong {
        /// One past the last position of the key that the vector takes.
        end: usize,
        /// The key's size.
        k: usize,
        /// The smallest size that would do.
        needed_k: usize,
    },

    /// A key of this size is not made.
    #[error("a commitment key of size {k} is not made: the largest has size {KEY_SIZE_MAX}")]
    KeySize {
        /// The size requested.
        k: usize,
    },

    /// A label that is not the name of a folder.
    #[error(
        "`{label}` cannot label a cached key: a label is 1 to 64 of the characters a-z, A-Z, 0-9, `-` and `_`"
    )]
    Label {
        /// The label given.
        label: String,
    },

    /// The label of a cached key names the other curve.
    #[error("`{label}` cannot label a cached key on {curve}: it is the name of another curve")]
    CurveLabel {
        /// The label given.
        label: String,
        /// The curve that the key is on.
        curve: &'static str,
    },

    /// The sum that a commitment is was not computed.
    #[error(transparent)]
    Acceleration(#[from] acceleration::Error),

    /// A file that could not be read or written.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file or folder.
        path: PathBuf,
        /// Why it failed.
        source: io::Error,
    },

    /// A cached key that is damaged, or is not the key requested. It is left as it is.
    #[error("the commitment key in {path} is not used: {fault}; remove the file, and the key is made again")]
    Cache {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: CacheFault,
    },

    /// A file of powers of tau that is damaged, or holds no such powers.
    #[error("the powers of tau in {path} are not used: {fault}")]
    Ptau {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: PtauFault,
    },
}

/// What is wrong with a cached key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheFault {
    /// The file is something else.
    #[error("it is not a commitment key")]
    NotAKey,
    /// The file has a format of another version.
    #[error("its format has version {found}, this library reads version {wanted}")]
    Version {
        /// The version it has.
        found: u32,
        /// The version that is read.
        wanted: u32,
    },
    /// The key is on another curve.
    #[error("it is on another curve than {wanted}")]
    Curve {
        /// The curve requested.
        wanted: &'static str,
    },
    /// The key has another size.
    #[error("its header names size {found} instead of {wanted}")]
    Size {
        /// The size it has.
        found: u32,
        /// The size requested.
        wanted: u32,
    },
    /// The key's points were derived otherwise, or from another label.
    #[error("its points were derived otherwise, or from another label")]
    Derivation,
    /// The file has the wrong length.
    #[error("it has {found} bytes instead of {wanted}")]
    Length {
        /// Its length in bytes.
        found: u64,
        /// The length in bytes that its size needs.
        wanted: u64,
    },
    /// The points are not those that the header's digest is of.
    #[error("its points do not have the digest in its header")]
    Digest,
    /// A point is not canonical, or not on the curve.
    #[error("point {index} is not a point of the curve in canonical form")]
    Point {
        /// Which point.
        index: usize,
    },
    /// A point is not the one that its place and the label derive.
    #[error("point {index} is not the one that the label derives")]
    Foreign {
        /// Which point.
        index: usize,
    },
}

/// What is wrong with a file of powers of tau.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PtauFault {
    /// The file is something else.
    #[error("it is not a powers-of-tau file of version 1")]
    NotPtau,
    /// A section is missing, is there twice, or does not fit the file.
    #[error("section {number} is missing, cut short or there twice")]
    Section {
        /// Which section: 1 is the header, 2 the powers in the first group, 3 those in the second.
        number: u32,
    },
    /// The powers are on another curve.
    #[error("its points are not over the base field of bn256")]
    Prime,
    /// There are fewer powers than requested.
    #[error("it holds powers for size {power}, and size {k} was requested")]
    TooFew {
        /// The size that the file has powers for.
        power: u32,
        /// The size requested.
        k: usize,
    },
    /// A point of the first group is not canonical, not on the curve, or the identity.
    #[error("power {index} in the first group is not a point of the curve in canonical form")]
    G1Point {
        /// Which power.
        index: usize,
    },
    /// A point of the second group is not canonical, not on the curve, or the identity.
    #[error("power {index} in the second group is not a point of the curve in canonical form")]
    G2Point {
        /// Which power.
        index: usize,
    },
    /// A point of the second group has another order than the curve's prime.
    #[error("power {index} in the second group is not in the subgroup of prime order")]
    Subgroup {
        /// Which power.
        index: usize,
    },
    /// The first power is not the generator.
    #[error("its first power in the {group} group is not the generator")]
    Generator {
        /// Which group.
        group: &'static str,
    },
    /// Tau is 1: the file is what a ceremony starts from.
    #[error("its tau is 1: nobody has contributed to it")]
    NoContribution,
    /// The points are not the powers of one tau.
    #[error("its points are not the powers of one tau")]
    Powers,
}

impl Error {
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_path_buf(), source }
    }
}
