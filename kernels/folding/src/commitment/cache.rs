//! Keys cached in files, so that they are derived once.

use std::fs::{self, File};
use std::path::Path;

use halo2curves::{bn256, grumpkin};

use super::error::Error;
use super::generators::Seed;
use super::key::check_size;
use super::{CommitmentKey, Curve};

mod header;
mod load;
mod store;

const LABEL_LEN_MAX: usize = 64;

impl<C: Curve> CommitmentKey<C> {
    /// The transparent key of `2^k` points that `label` derives, from `{cache_folder}/{label}/{k}.bin`; if there is no
    /// such file, it is made, and the folders too.
    ///
    /// The key is that of [`setup`](Self::setup) for the same label. Any number of threads and processes may call this
    /// for one folder: one derives the key, and the others wait and load it. A file is complete or absent. A file that
    /// is damaged or another key's is never replaced: the error names it.
    ///
    /// # Safety
    ///
    /// Who can write to the folder can choose the key, and who chooses the key can open commitments falsely. On
    /// loading, the file's digest, that all points are on the curve, and a random sample of points are checked, which
    /// finds damage and keys of another origin, but not a few points changed together with the digest. The caller
    /// vouches that nobody but those it trusts can write to `cache_folder` or replace it.
    ///
    /// # Errors
    ///
    /// [`Error::KeySize`], [`Error::Label`], [`Error::CurveLabel`], [`Error::Cache`] for a file that is not this key,
    /// [`Error::Io`].
    #[expect(
        unsafe_code,
        reason = "to trust a folder is the caller's decision, which `unsafe` makes visible"
    )]
    pub unsafe fn load_or_setup_cache(cache_folder: &Path, label: &str, k: usize) -> Result<Self, Error> {
        check_size(k)?;
        check_label::<C>(label)?;
        let folder = cache_folder.join(label);
        let path = folder.join(format!("{k}.bin"));
        let seed = Seed::new::<C>(label.as_bytes());
        if let Some(key) = load::load(&path, k, &seed)? {
            return Ok(key);
        }
        fs::create_dir_all(&folder).map_err(Error::io("create", &folder))?;
        let _lock = lock(&folder.join(format!("{k}.lock")))?;
        if let Some(key) = load::load(&path, k, &seed)? {
            return Ok(key);
        }
        let key = Self::setup(k, label.as_bytes())?;
        let digest = store::store(&path, &key, &seed)?;
        Ok(key.with_points_digest(digest))
    }
}

/// Waits until no other process or thread holds the lock; it is held until the file is dropped.
fn lock(path: &Path) -> Result<File, Error> {
    let file = File::options().create(true).write(true).truncate(false).open(path);
    let file = file.map_err(Error::io("open", path))?;
    file.lock().map_err(Error::io("lock", path))?;
    Ok(file)
}

/// Refuses labels that are not plainly the name of a folder, and the other curve's name, which is a mistake.
fn check_label<C: Curve>(label: &str) -> Result<(), Error> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !(1..=LABEL_LEN_MAX).contains(&label.len()) || !label.bytes().all(is_plain) {
        return Err(Error::Label { label: label.to_owned() });
    }
    if [bn256::G1Affine::NAME, grumpkin::G1Affine::NAME].contains(&label) && label != C::NAME {
        return Err(Error::CurveLabel { label: label.to_owned(), curve: C::NAME });
    }
    Ok(())
}
