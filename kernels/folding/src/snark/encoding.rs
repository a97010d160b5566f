//! Canonical bytes of proofs: one encoding for one value, every length capped, no trailing bytes.
//!
//! A scalar is 32 bytes, least byte first, below the modulus. A point is 32 bytes: its x-coordinate in the same way,
//! with the two bits left free by a 254-bit field saying "identity" (6) and "y is odd" (7).

use halo2curves::CurveAffine;
use halo2curves::ff::PrimeField;
use halo2curves::group::GroupEncoding;

mod error;

pub use error::Error;

/// Bytes of a scalar, and of a point.
pub const ELEMENT_BYTES: usize = 32;

/// The canonical bytes of `point`. A pair of coordinates that is on no curve has none: all its bits are set, which
/// reads back as an error.
pub fn point_bytes<C: CurveAffine>(point: &C) -> [u8; ELEMENT_BYTES] {
    let mut bytes = [0xff; ELEMENT_BYTES];
    // The curve library's own encoder panics on coordinates off the curve.
    if bool::from(point.is_on_curve()) {
        let encoded = point.to_bytes();
        if encoded.as_ref().len() == ELEMENT_BYTES {
            bytes.copy_from_slice(encoded.as_ref());
        }
    }
    bytes
}

/// Appends the encodings of `points`.
pub fn write_points<C: CurveAffine>(bytes: &mut Vec<u8>, points: &[C]) {
    for point in points {
        bytes.extend_from_slice(&point_bytes(point));
    }
}

/// Appends the encodings of `scalars`.
pub fn write_scalars<F: PrimeField>(bytes: &mut Vec<u8>, scalars: &[F]) {
    for scalar in scalars {
        bytes.extend_from_slice(scalar.to_repr().as_ref());
    }
}

/// Appends a length of at most 255 as one byte. A longer one is written as 255, which is above every cap.
pub fn write_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.push(u8::try_from(length).unwrap_or(u8::MAX));
}

/// Appends a number in four bytes, least byte first. One of more bits is written as `2^32 - 1`, which is above every cap.
pub fn write_number(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

/// Appends scalars behind their number in two bytes, least byte first. More than 65,534 are written as 65,535, which is
/// above every cap.
pub fn write_scalar_list<F: PrimeField>(bytes: &mut Vec<u8>, scalars: &[F]) {
    bytes.extend_from_slice(&u16::try_from(scalars.len()).unwrap_or(u16::MAX).to_le_bytes());
    write_scalars(bytes, scalars);
}

/// Reads what the functions above write, and nothing else.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader at the start of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// A length between `least` and `most`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] outside of them, [`Error::Truncated`] at the end of the bytes.
    pub fn length(&mut self, least: usize, most: usize) -> Result<usize, Error> {
        let (&found, rest) = self.rest.split_first().ok_or(Error::Truncated)?;
        self.rest = rest;
        let found = usize::from(found);
        if (least..=most).contains(&found) { Ok(found) } else { Err(Error::Length { found, least, most }) }
    }

    /// The version of a format, in one byte.
    ///
    /// # Errors
    ///
    /// [`Error::Version`] for another, [`Error::Truncated`] at the end of the bytes.
    pub fn version(&mut self, wanted: u8) -> Result<(), Error> {
        let [found] = self.bytes()?;
        if found == wanted {
            return Ok(());
        }
        Err(Error::Version { found, wanted })
    }

    /// A number of up to `most`, in four bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] above, [`Error::Truncated`] at the end of the bytes.
    pub fn number(&mut self, most: usize) -> Result<usize, Error> {
        let found = u32::from_le_bytes(self.bytes()?) as usize;
        if found > most {
            return Err(Error::Length { found, least: 0, most });
        }
        Ok(found)
    }

    /// A number of up to `most`, in four bytes, of things that follow and take at least so many bytes each.
    ///
    /// # Errors
    ///
    /// As [`Reader::number`], and [`Error::Truncated`] for more than the bytes have room for.
    pub fn count(&mut self, most: usize, bytes_each: usize) -> Result<usize, Error> {
        let found = self.number(most)?;
        self.holds(found, bytes_each)?;
        Ok(found)
    }

    /// So many bytes as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Truncated`] at the end of the bytes.
    pub fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(Error::Truncated)?;
        self.rest = rest;
        Ok(*bytes)
    }

    /// One scalar.
    ///
    /// # Errors
    ///
    /// [`Error::Scalar`] for bytes that are not below the modulus, [`Error::Truncated`] at the end of the bytes.
    pub fn scalar<F: PrimeField>(&mut self) -> Result<F, Error> {
        let mut repr = F::Repr::default();
        self.element(repr.as_mut())?;
        Option::from(F::from_repr(repr)).ok_or(Error::Scalar)
    }

    /// One point, on the curve.
    ///
    /// # Errors
    ///
    /// [`Error::Point`] for bytes that are not the encoding of a point, [`Error::Truncated`] at the end of the bytes.
    pub fn point<C: CurveAffine>(&mut self) -> Result<C, Error> {
        let mut repr = <C as GroupEncoding>::Repr::default();
        self.element(repr.as_mut())?;
        let point: C = Option::from(C::from_bytes(&repr)).ok_or(Error::Point)?;
        // Whatever a decoder lets through, only the bytes that we would have written encode this point.
        if point_bytes(&point)[..] == *repr.as_ref() { Ok(point) } else { Err(Error::Point) }
    }

    /// `count` scalars.
    ///
    /// # Errors
    ///
    /// As [`Reader::scalar`].
    pub fn scalars<F: PrimeField>(&mut self, count: usize) -> Result<Vec<F>, Error> {
        self.holds(count, ELEMENT_BYTES)?;
        (0..count).map(|_| self.scalar()).collect()
    }

    /// Scalars behind their number, at most `most` of them.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for more, others as [`Reader::scalar`].
    pub fn scalar_list<F: PrimeField>(&mut self, most: usize) -> Result<Vec<F>, Error> {
        let low = self.length(0, usize::from(u8::MAX))?;
        let found = low | self.length(0, usize::from(u8::MAX))? << 8;
        if found > most {
            return Err(Error::Length { found, least: 0, most });
        }
        self.scalars(found)
    }

    /// `count` points.
    ///
    /// # Errors
    ///
    /// As [`Reader::point`].
    pub fn points<C: CurveAffine>(&mut self, count: usize) -> Result<Vec<C>, Error> {
        self.holds(count, ELEMENT_BYTES)?;
        (0..count).map(|_| self.point()).collect()
    }

    /// Ends the reading.
    ///
    /// # Errors
    ///
    /// [`Error::Trailing`] when bytes are left.
    pub fn finish(self) -> Result<(), Error> {
        if self.rest.is_empty() { Ok(()) } else { Err(Error::Trailing { bytes: self.rest.len() }) }
    }

    /// Before memory is allocated for them, that there are bytes for so many.
    fn holds(&self, count: usize, bytes_each: usize) -> Result<(), Error> {
        if self.rest.len() / bytes_each >= count { Ok(()) } else { Err(Error::Truncated) }
    }

    fn element(&mut self, into: &mut [u8]) -> Result<(), Error> {
        let (element, rest) = self.rest.split_at_checked(into.len()).ok_or(Error::Truncated)?;
        into.copy_from_slice(element);
        self.rest = rest;
        Ok(())
    }
}

/// What `read` reads of exactly these bytes.
///
/// # Errors
///
/// What `read` finds wrong, and [`Error::Trailing`] when it leaves bytes.
pub fn read_exactly<T>(
    bytes: &[u8],
    read: impl FnOnce(&mut Reader<'_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut reader = Reader::new(bytes);
    let value = read(&mut reader)?;
    reader.finish()?;
    Ok(value)
}

#[cfg(test)]
mod tests;
