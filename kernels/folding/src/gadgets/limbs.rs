//! How elements of the other field are cut into limbs, and how limbs are packed for an oracle.

use halo2curves::ff::PrimeField;

use super::Error;
use super::integer::{self, Words};

/// Bits of the native elements into which limbs are packed: below the capacity of both fields.
const PACKED_BITS: usize = 248;

/// With narrower limbs a carry could be longer than a limb, which the bounds of columns leave out.
const LEAST_WIDTH: usize = 16;

/// Limbs of an element: how wide, and how many at most.
///
/// Elements take no more limbs than their field's bits need; limbs beyond are not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimbParameters {
    width: usize,
    count: usize,
}

impl LimbParameters {
    /// Four limbs of 68 bits. The product of a short number and an element then takes one carry: two columns fit the native
    /// field together, and what they leave open, the native field's modulus decides.
    pub const DEFAULT: Self = Self { width: 68, count: 4 };

    /// Limbs of elements of `N` in circuits over `F`; create both directions where both are used.
    ///
    /// # Errors
    /// Where an element does not fit, limbs have fewer than 16 bits, or the widest column of a product of two elements could wrap around.
    pub fn new<F: PrimeField, N: PrimeField>(limb_width: usize, limbs_count: usize) -> Result<Self, Error> {
        let needed = N::NUM_BITS as usize;
        if limb_width.saturating_mul(limbs_count) < needed {
            return Err(Error::TooFewBits { limb_width, limbs_count, needed });
        }
        if limb_width < LEAST_WIDTH {
            return Err(Error::TooNarrow { limb_width, least: LEAST_WIDTH });
        }
        let reached = column_reach(limb_width, needed.div_ceil(limb_width));
        let room = F::CAPACITY as usize;
        if reached > room {
            return Err(Error::TooWide { limb_width, reached, room });
        }
        Ok(Self { width: limb_width, count: limbs_count })
    }

    /// Bits of a limb.
    #[must_use]
    pub fn limb_width(self) -> usize {
        self.width
    }

    /// How many limbs were requested.
    #[must_use]
    pub fn limbs_count(self) -> usize {
        self.count
    }

    /// The bits of each limb of a number of so many bits, least first: the last one's are what is left.
    pub(super) fn widths(self, bits: usize) -> impl ExactSizeIterator<Item = usize> {
        (0..bits.div_ceil(self.width)).map(move |limb| self.width.min(bits - limb * self.width))
    }

    /// The limbs of a number of so many bits, least first.
    pub(super) fn limbs<F: PrimeField>(self, words: &Words, bits: usize) -> Vec<F> {
        let limb = |(index, width)| F::from_u128(integer::bits(words, index * self.width, width));
        self.widths(bits).enumerate().map(limb).collect()
    }

    /// How many limbs one native element holds in an oracle's input.
    pub(super) fn packed_limbs(self) -> usize {
        PACKED_BITS / self.width
    }

    /// The bits of those limbs.
    pub(crate) fn packed_bits(self) -> usize {
        self.packed_limbs() * self.width
    }
}

/// Bits of one column of a product of so many limbs with its carries, as [`super::reduce`] bounds them.
fn column_reach(width: usize, limbs: usize) -> usize {
    // At most `limbs` products of each sign, two further limbs and a carry; then the carry that is subtracted.
    let terms = limbs + 3;
    width.saturating_mul(2).saturating_add(ceil_log2(terms) + 3)
}

/// The least `n` with `number <= 2^n`.
pub(super) fn ceil_log2(number: usize) -> usize {
    number.next_power_of_two().trailing_zeros() as usize
}

/// The packed limbs of an element: native elements of at most 248 bits, least first. `NonNative::pack` in a circuit.
#[must_use]
pub fn pack_limbs<F: PrimeField, N: PrimeField>(element: &N, parameters: LimbParameters) -> Vec<F> {
    let bits = parameters.packed_bits();
    let words = integer::words(element);
    (0..(N::NUM_BITS as usize).div_ceil(bits))
        .map(|index| {
            let start = index * bits;
            let low = F::from_u128(integer::bits(&words, start, bits.min(128)));
            let high = F::from_u128(integer::bits(&words, start + 128, bits.saturating_sub(128)));
            low + high * F::from(2).pow_vartime([128])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use halo2curves::bn256::{Fq, Fr};
    use halo2curves::ff::Field as _;

    use super::*;

    #[test]
    fn limbs_that_hold_an_element_and_its_products_are_taken() {
        for (width, count) in
            [(64, 4), (68, 4), (88, 3), (32, 10), (32, 8), (85, 3), (51, 5), (16, 16), (120, 3)]
        {
            assert!(LimbParameters::new::<Fr, Fq>(width, count).is_ok(), "{width} x {count}");
            assert!(LimbParameters::new::<Fq, Fr>(width, count).is_ok(), "{width} x {count}");
        }
        assert_eq!(LimbParameters::new::<Fr, Fq>(68, 4), Ok(LimbParameters::DEFAULT));
    }

    #[test]
    fn limbs_that_do_not_hold_an_element_are_refused_with_the_bits_needed() {
        for (width, count) in [(0, 4), (64, 0), (64, 3), (84, 3)] {
            let error = LimbParameters::new::<Fr, Fq>(width, count);
            assert_eq!(error, Err(Error::TooFewBits { limb_width: width, limbs_count: count, needed: 254 }));
        }
    }

    #[test]
    fn narrow_limbs_are_refused() {
        let error = LimbParameters::new::<Fr, Fq>(15, 20);
        assert_eq!(error, Err(Error::TooNarrow { limb_width: 15, least: 16 }));
    }

    #[test]
    fn limbs_whose_products_wrap_around_are_refused_with_the_room_there_is() {
        for width in [124, 127, 254, usize::MAX] {
            let error = LimbParameters::new::<Fr, Fq>(width, 3).unwrap_err();
            assert!(matches!(error, Error::TooWide { room: 253, .. }), "{error}");
        }
    }

    #[test]
    fn packed_limbs_make_the_element() {
        let element = -Fr::from(3);
        for (width, count) in [(64, 4), (68, 4), (88, 3), (32, 8), (120, 3)] {
            let parameters = LimbParameters::new::<Fq, Fr>(width, count).unwrap();
            let packed: Vec<Fq> = pack_limbs(&element, parameters);
            assert_eq!(packed.len(), 2);
            let bits = (248 / width * width) as u64;
            let back = packed.iter().rev().fold([0; 4], |number, part| {
                let shift = integer::words(&Fq::from(2).pow_vartime([bits]));
                integer::add(integer::multiply(number, shift), integer::words(part))
            });
            assert_eq!(back, integer::words(&element));
            assert!(packed.iter().all(|part| integer::shifted(&integer::words(part), 248) == [0; 4]));
        }
    }
}
