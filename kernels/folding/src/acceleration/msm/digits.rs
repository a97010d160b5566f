//! Signed digits of scalars.

use halo2curves::ff::PrimeField;

/// A scalar as a sign and a magnitude below half of the field's size, so that `-1` is as short as `1`.
#[derive(Clone, Copy)]
pub(super) struct Signed {
    /// Little-endian; the top bit, which no magnitude reaches, says that the scalar is negative.
    limbs: [u64; 4],
}

const SIGN: u64 = 1 << 63;

/// Turns scalars of one field to their signed form.
pub(super) struct Signing {
    modulus: [u64; 4],
    half: [u64; 4],
}

impl Signing {
    pub(super) fn new<F: PrimeField>() -> Self {
        // The modulus is odd, so one more than `-1` carries nowhere.
        let mut modulus = limbs(&-F::ONE);
        modulus[0] += 1;
        let half = std::array::from_fn(|i| {
            let above = modulus.get(i + 1).map_or(0, |limb| limb << 63);
            modulus[i] >> 1 | above
        });
        Self { modulus, half }
    }

    #[inline]
    pub(super) fn signed<F: PrimeField>(&self, scalar: &F) -> Signed {
        let limbs = limbs(scalar);
        if !exceeds(&limbs, &self.half) {
            return Signed { limbs };
        }
        let mut negated = difference(&self.modulus, &limbs);
        negated[3] |= SIGN;
        Signed { limbs: negated }
    }
}

impl Signed {
    pub(super) fn is_negative(self) -> bool {
        self.limbs[3] & SIGN != 0
    }

    /// The bits of the magnitude; 0 for zero.
    #[inline]
    pub(super) fn bits(self) -> u32 {
        let top = self.limbs[3] & !SIGN;
        if top != 0 {
            return 256 - top.leading_zeros();
        }
        for i in (0..3).rev() {
            if self.limbs[i] != 0 {
                return 64 * (i as u32 + 1) - self.limbs[i].leading_zeros();
            }
        }
        0
    }

    /// Digit `window` in base `2^width` (Booth's recoding): of magnitude `2^(width - 1)` at most, and a function of
    /// `width + 1` neighbouring bits, so that windows can be read in any order. A magnitude of `b` bits has
    /// `b / width + 1` digits.
    #[inline]
    pub(super) fn digit(self, window: u32, width: u32) -> i32 {
        let mask = (1u64 << (width + 1)) - 1;
        let bits = match (window * width).checked_sub(1) {
            None => self.limbs[0] << 1,
            Some(first) => {
                let (limb, shift) = ((first / 64) as usize, first % 64);
                let above = self.magnitude_limb(limb + 1).checked_shl(64 - shift).unwrap_or(0);
                self.magnitude_limb(limb) >> shift | above
            }
        } & mask;
        let rounded = bits.div_ceil(2) as i32;
        let digit = if bits >> width == 0 { rounded } else { rounded - (1 << width) };
        if self.is_negative() { -digit } else { digit }
    }

    #[inline]
    fn magnitude_limb(self, limb: usize) -> u64 {
        match limb {
            0..=2 => self.limbs[limb],
            3 => self.limbs[3] & !SIGN,
            _ => 0,
        }
    }
}

#[inline]
fn limbs<F: PrimeField>(scalar: &F) -> [u64; 4] {
    let repr = scalar.to_repr();
    let (limbs, _) = repr.as_ref().as_chunks::<8>();
    std::array::from_fn(|i| limbs.get(i).map_or(0, |limb| u64::from_le_bytes(*limb)))
}

#[inline]
fn exceeds(a: &[u64; 4], b: &[u64; 4]) -> bool {
    a.iter().rev().gt(b.iter().rev())
}

#[inline]
fn difference(a: &[u64; 4], b: &[u64; 4]) -> [u64; 4] {
    let mut borrow = false;
    std::array::from_fn(|i| {
        let (limb, first) = a[i].overflowing_sub(b[i]);
        let (limb, second) = limb.overflowing_sub(u64::from(borrow));
        borrow = first || second;
        limb
    })
}
