//! The proof as text: a byte for the format and the compressed proof, in standard base64 with padding.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::error::Rejection;

/// The format of what follows. A change of circuit, transcript or encoding counts it up.
const FORMAT: u8 = 1;

/// One text for each byte string: padding required, no stray bits behind the last byte, no white space.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(false),
);

/// No proof comes near this; longer texts are refused unread.
const TEXT_BYTES_MAX: usize = 64 * 1024;

/// Writes a compressed proof as text.
pub(crate) fn encode(proof: &[u8]) -> String {
    BASE64.encode([&[FORMAT], proof].concat())
}

/// Reads a compressed proof back.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, Rejection> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(Rejection::Encoding(format!("it is longer than {TEXT_BYTES_MAX} bytes")));
    }
    let bytes = BASE64.decode(text).map_err(|error| Rejection::Encoding(error.to_string()))?;
    match bytes.split_first() {
        Some((&FORMAT, proof)) => Ok(proof.to_vec()),
        Some((&found, _)) => Err(Rejection::Format { expected: FORMAT, found }),
        None => Err(Rejection::Encoding("it is empty".to_owned())),
    }
}
