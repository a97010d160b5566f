//! The proof as text: a header of two bytes and the proof, in standard base64 with padding.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use crate::error::Rejection;

/// The format of what follows the header. A change of circuit, transcript or encoding counts it up.
const FORMAT: u8 = 1;

/// One text for each byte string: padding required, no stray bits behind the last byte, no white space.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(false),
);

/// No proof of any of the circuits comes near this; longer texts are refused unread.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// Writes a proof for `inputs` elements as text.
#[must_use]
pub fn encode_proof(inputs: usize, proof: &[u8]) -> String {
    let mut bytes = header(inputs).to_vec();
    bytes.extend_from_slice(proof);
    BASE64.encode(bytes)
}

/// Reads a proof for `inputs` elements back from its text.
///
/// # Errors
///
/// [`Rejection::Encoding`] for anything but canonical base64, [`Rejection::Header`] for a proof of another
/// format or another number of inputs.
pub fn decode_proof(inputs: usize, text: &str) -> Result<Vec<u8>, Rejection> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Rejection::Encoding(format!("it is longer than {TEXT_BYTES_MAX} bytes")));
    }
    let bytes = BASE64.decode(text).map_err(|error| Rejection::Encoding(error.to_string()))?;
    let expected = header(inputs);
    match bytes.split_first_chunk() {
        Some((found, proof)) if *found == expected => Ok(proof.to_vec()),
        Some((&found, _)) => Err(Rejection::Header { expected, found }),
        None => Err(Rejection::Encoding("it is too short to hold a proof".to_owned())),
    }
}

fn header(inputs: usize) -> [u8; 2] {
    [FORMAT, u8::try_from(inputs).unwrap_or(u8::MAX)]
}
