//! Commitment keys.

use std::sync::{Arc, OnceLock};

use halo2curves::group::Curve as _;
use sha2::{Digest, Sha256};

use super::generators::Seed;
use super::structured::StructuredPart;
use super::{Curve, Error, points};
use crate::acceleration::{Accelerator, Bases, Cpu};

/// The largest size of a key: 2^26 points take 4 GiB.
pub const KEY_SIZE_MAX: usize = 26;

const DIGEST_DOMAIN: &[u8] = b"elastic-folding commitment key v1";
const PTAU_DOMAIN: &[u8] = b"elastic-folding powers of tau v1";

/// The points that vectors are committed with: a vector `v` has the commitment `Σ v[i] * points[i]` (Pedersen).
///
/// It binds, and does not hide: nothing random goes into it. A key is transparent, made by [`setup`](Self::setup) or
/// [`load_or_setup_cache`](Self::load_or_setup_cache), or structured, read by
/// [`from_ptau`](CommitmentKey::from_ptau); both commit alike.
#[derive(Clone, Debug)]
pub struct CommitmentKey<C: Curve> {
    points: Vec<C>,
    k: usize,
    /// Says how the points came to be; see [`CommitmentKey::digest`].
    derivation: [u8; 32],
    structured: Option<StructuredPart>,
    points_digest: OnceLock<[u8; 32]>,
    /// The first of the points, where an accelerator keeps them.
    prepared: Option<Arc<dyn Bases<C>>>,
}

impl<C: Curve> CommitmentKey<C> {
    /// The transparent key of `2^k` points that a label derives (as [`crate::commitment`] says), with no secret.
    ///
    /// # Errors
    ///
    /// [`Error::KeySize`] if `k` is above [`KEY_SIZE_MAX`].
    pub fn setup(k: usize, label: &[u8]) -> Result<Self, Error> {
        check_size(k)?;
        let seed = Seed::new::<C>(label);
        Ok(Self::transparent(seed.generators(1 << k), k, &seed))
    }

    /// A key of the points that this seed derives, which the caller has made sure of.
    pub(super) fn transparent(points: Vec<C>, k: usize, seed: &Seed) -> Self {
        Self {
            points,
            k,
            derivation: seed.0,
            structured: None,
            points_digest: OnceLock::new(),
            prepared: None,
        }
    }

    /// A key of powers of tau, which the caller has made sure of.
    pub(super) fn powers_of_tau(points: Vec<C>, k: usize, structured: StructuredPart) -> Self {
        let derivation = Sha256::new().chain_update(PTAU_DOMAIN).chain_update(C::NAME).finalize().into();
        Self {
            points,
            k,
            derivation,
            structured: Some(structured),
            points_digest: OnceLock::new(),
            prepared: None,
        }
    }

    /// The same key, with the digest of its points that is known already.
    pub(super) fn with_points_digest(mut self, digest: [u8; 32]) -> Self {
        self.points_digest = OnceLock::from(digest);
        self
    }

    /// The number of points, `2^k`.
    #[expect(clippy::len_without_is_empty, reason = "a key always has a point")]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The size: the base-2 logarithm of the number of points.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The points.
    pub fn points(&self) -> &[C] {
        &self.points
    }

    /// What a pairing needs in addition to the points, if they are powers of tau.
    pub fn structured(&self) -> Option<&StructuredPart> {
        self.structured.as_ref()
    }

    /// What names this key: SHA-256 over the curve's name, how the points were derived, `k`, SHA-256 over the points in
    /// canonical form, and the points of a structured part. Computed once.
    pub fn digest(&self) -> [u8; 32] {
        let points = self.points_digest.get_or_init(|| points::digest(&self.points));
        let mut hash = Sha256::new();
        hash.update(DIGEST_DOMAIN);
        hash.update((C::NAME.len() as u64).to_le_bytes());
        hash.update(C::NAME);
        hash.update(self.derivation);
        hash.update((self.k as u64).to_le_bytes());
        hash.update(points);
        if let Some(structured) = &self.structured {
            hash.update(structured.to_bytes());
        }
        hash.finalize().into()
    }

    /// The commitment to a vector of at most [`len`](Self::len) scalars; what it lacks counts as zero.
    ///
    /// # Errors
    ///
    /// [`Error::TooLong`], which says the size that is needed; [`Error::Acceleration`].
    pub fn commit(&self, scalars: &[C::Scalar]) -> Result<C, Error> {
        self.commit_at(0, scalars)
    }

    /// The commitment to a vector that has these scalars from position `offset` on, and zeros elsewhere.
    ///
    /// # Errors
    ///
    /// As for [`commit`](Self::commit).
    pub fn commit_at(&self, offset: usize, scalars: &[C::Scalar]) -> Result<C, Error> {
        let end = self.end(offset, scalars)?;
        match &self.prepared {
            Some(prepared) if end <= prepared.len() => Ok(prepared.msm(offset, scalars)?.to_affine()),
            _ => self.commit_with(&Cpu, offset, scalars),
        }
    }

    /// The commitments to vectors, each as by [`commit`](Self::commit).
    ///
    /// # Errors
    ///
    /// As for [`commit`](Self::commit).
    pub fn commit_each(&self, vectors: &[Vec<C::Scalar>]) -> Result<Vec<C>, Error> {
        match &self.prepared {
            Some(prepared) if vectors.iter().all(|scalars| scalars.len() <= prepared.len()) => {
                let sums = prepared.msm_each(0, vectors)?;
                let mut commitments = vec![C::identity(); sums.len()];
                C::Curve::batch_normalize(&sums, &mut commitments);
                Ok(commitments)
            }
            _ => vectors.iter().map(|scalars| self.commit(scalars)).collect(),
        }
    }

    /// Has the accelerator keep the first `len` points (all, if there are fewer), and compute from then on each commitment
    /// to a vector within them, instead of an earlier accelerator. The key's digest and its commitments stay as they are.
    ///
    /// [`Cpu`] keeps multiples of the points: witnesses of bits, words and some full-width elements are then committed in half
    /// the time, vectors of full-width elements hardly faster above 2^13 of them. To compute the multiples takes as long as to
    /// derive two or three points each.
    ///
    /// # Errors
    ///
    /// [`Error::Acceleration`]; the key is then as it was.
    pub fn accelerate(&mut self, accelerator: &impl Accelerator<C>, len: usize) -> Result<(), Error> {
        let prepared = accelerator.keep(&self.points[..len.min(self.len())])?;
        self.prepared = Some(prepared.into());
        Ok(())
    }

    /// [`commit_at`](Self::commit_at), computed by the accelerator given.
    ///
    /// # Errors
    ///
    /// As for [`commit`](Self::commit).
    pub fn commit_with(
        &self,
        accelerator: &impl Accelerator<C>,
        offset: usize,
        scalars: &[C::Scalar],
    ) -> Result<C, Error> {
        let end = self.end(offset, scalars)?;
        Ok(accelerator.msm(scalars, &self.points[offset..end])?.to_affine())
    }

    /// One past the last position that these scalars take from an offset on.
    fn end(&self, offset: usize, scalars: &[C::Scalar]) -> Result<usize, Error> {
        let end = offset.saturating_add(scalars.len());
        if end <= self.len() {
            return Ok(end);
        }
        let needed_k = end.checked_next_power_of_two().map_or(usize::BITS, usize::trailing_zeros) as usize;
        Err(Error::TooLong { end, k: self.k, needed_k })
    }
}

/// Refuses a size above [`KEY_SIZE_MAX`].
pub(super) fn check_size(k: usize) -> Result<(), Error> {
    if k > KEY_SIZE_MAX { Err(Error::KeySize { k }) } else { Ok(()) }
}
