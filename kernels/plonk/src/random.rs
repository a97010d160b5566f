//! A column of random elements from one draw of the caller's generator, by all threads of the current pool. How many threads
//! there are makes no difference to them.

use halo2_axiom::{
    arithmetic::parallelize,
    halo2curves::{bn256::Fr, ff::Field},
};
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};
use zkaccel::Context;

use crate::{
    error::Result,
    secret::{SecretBytes, SecretColumn, SecretValues},
};

/// Elements of one ChaCha20 stream.
const STREAM: usize = 1 << 10;
/// Elements that are on the host at once.
const PART: usize = 1 << 16;

/// `n` elements: those from `STREAM * i` on are of stream i of a seed that is drawn here.
pub(crate) fn column(rng: &mut impl RngCore, context: &Context, n: usize) -> Result<SecretColumn> {
    let mut seed = SecretBytes::default();
    rng.fill_bytes(&mut seed.0);
    let mut column = SecretColumn::new(context, n)?;
    let mut part = SecretValues(vec![Fr::ZERO; n.min(PART)]);
    for from in (0..n).step_by(PART) {
        let part = &mut part[..PART.min(n - from)];
        let mut streams: Vec<&mut [Fr]> = part.chunks_mut(STREAM).collect();
        parallelize(&mut streams, |streams, first| {
            for (stream, at) in streams.iter_mut().zip((from / STREAM + first) as u64..) {
                let mut rng = ChaCha20Rng::from_seed(seed.0);
                rng.set_stream(at);
                stream.fill_with(|| Fr::random(&mut rng));
            }
        });
        context.at_once().write(&mut column, from, part)?;
    }
    Ok(column)
}
