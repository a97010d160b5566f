//! Many random elements from one draw of the caller's generator, by all threads of the current pool. How many threads there
//! are makes no difference to them.

use halo2_axiom::{
    arithmetic::parallelize,
    halo2curves::{bn256::Fr, ff::Field},
};
use rand_chacha::ChaCha20Rng;
use rand_core::{RngCore, SeedableRng};

use crate::secret::{SecretBytes, SecretValues};

/// Elements of one ChaCha20 stream.
const STREAM: usize = 1 << 10;

/// `n` elements: those from `STREAM * i` on are of stream i of a seed that is drawn here.
pub(crate) fn elements(rng: &mut impl RngCore, n: usize) -> SecretValues {
    let mut seed = SecretBytes::default();
    rng.fill_bytes(&mut seed.0);
    let mut elements = SecretValues(vec![Fr::ZERO; n]);
    let mut streams: Vec<&mut [Fr]> = elements.chunks_mut(STREAM).collect();
    parallelize(&mut streams, |streams, first| {
        for (stream, at) in streams.iter_mut().zip(first as u64..) {
            let mut rng = ChaCha20Rng::from_seed(seed.0);
            rng.set_stream(at);
            stream.fill_with(|| Fr::random(&mut rng));
        }
    });
    elements
}
