//! Folding a key: few scalars times many points.
//!
//! All points of a block see the same doublings and additions, so they are done in affine coordinates, with one inversion for a
//! addition of a chunk.

use halo2curves::CurveAffine;
use halo2curves::ff::{Field, PrimeField};
use halo2curves::group::prime::PrimeCurveAffine;
use halo2curves::group::{Curve, Group};
use rayon::prelude::*;

/// Points that one thread takes at a time, so many that the inversion they share costs each of them little.
const POINTS: usize = 256;

/// Points below which projective coordinates are faster.
const AFFINE_LEAST: usize = 8;

/// The sum of the blocks of `key`, a power of two of them, each times its weight; the first one's is 1. So with weights
/// `[1, x]` the key is halved.
pub(super) fn fold_key<C: CurveAffine>(key: &[C], weights: &[C::ScalarExt]) -> Vec<C> {
    let block = key.len() / weights.len();
    let digits: Vec<Vec<i8>> = weights[1..].iter().map(signed_digits).collect();
    let mut folded = key[..block].to_vec();
    let chunk = block.div_ceil(rayon::current_num_threads()).clamp(AFFINE_LEAST, POINTS);
    folded.par_chunks_mut(chunk).enumerate().for_each(|(i, folded)| {
        let points = |block: &'_ [C]| block[i * chunk..][..folded.len()].to_vec();
        let blocks: Vec<Vec<C>> = key.chunks(block).skip(1).map(points).collect();
        if fold_affine(folded, &blocks, &digits).is_none() {
            fold_projective(folded, &blocks, &digits);
        }
    });
    folded
}

fn fold_projective<C: CurveAffine>(folded: &mut [C], blocks: &[Vec<C>], digits: &[Vec<i8>]) {
    let mut sums: Vec<C::CurveExt> = folded.iter().map(PrimeCurveAffine::to_curve).collect();
    for (block, digits) in blocks.iter().zip(digits) {
        sums.iter_mut().zip(block).for_each(|(sum, point)| *sum += multiply(point, digits));
    }
    C::CurveExt::batch_normalize(&sums, folded);
}

fn multiply<C: CurveAffine>(point: &C, digits: &[i8]) -> C::CurveExt {
    let negated = -*point;
    digits.iter().rev().fold(C::CurveExt::identity(), |sum, digit| {
        let doubled = sum.double();
        match digit {
            1 => doubled + *point,
            -1 => doubled + negated,
            _ => doubled,
        }
    })
}

/// The same, with doublings shared by all blocks; unless the points are few, or an addition meets one that has no slope: the
/// identity, or the sum of equal or of opposite points. That takes small weights, or points in a known relation.
fn fold_affine<C: CurveAffine>(folded: &mut [C], blocks: &[Vec<C>], digits: &[Vec<i8>]) -> Option<()> {
    if folded.len() < AFFINE_LEAST {
        return None;
    }
    let low = affine(folded)?;
    let blocks = blocks.iter().map(|block| affine(block)).collect::<Option<Vec<_>>>()?;
    let mut slopes = Slopes::default();
    let mut sums: Option<Vec<[C::Base; 2]>> = None;
    for position in (0..digits.iter().map(Vec::len).max()?).rev() {
        if let Some(sums) = &mut sums {
            slopes.double(sums)?;
        }
        for (block, digits) in blocks.iter().zip(digits) {
            match (digits[position], &mut sums) {
                (0, _) => {}
                (digit, Some(sums)) => slopes.add(sums, block, digit < 0)?,
                // The highest digit of a positive number is 1.
                (_, None) => sums = Some(block.clone()),
            }
        }
    }
    let mut sums = sums?;
    slopes.add(&mut sums, &low, false)?;
    for (folded, [x, y]) in folded.iter_mut().zip(&sums) {
        *folded = Option::from(C::from_xy(*x, *y))?;
    }
    Some(())
}

fn affine<C: CurveAffine>(points: &[C]) -> Option<Vec<[C::Base; 2]>> {
    let coordinates = |point: &C| {
        let finite = !bool::from(point.is_identity());
        finite.then(|| Option::from(point.coordinates().map(|c| [*c.x(), *c.y()]))).flatten()
    };
    points.iter().map(coordinates).collect()
}

/// The slopes of an addition's lines, and the products that their common inversion goes through.
struct Slopes<F> {
    denominators: Vec<F>,
    products: Vec<F>,
}

impl<F> Default for Slopes<F> {
    fn default() -> Self {
        Self { denominators: Vec::new(), products: Vec::new() }
    }
}

impl<F: Field> Slopes<F> {
    fn double(&mut self, points: &mut [[F; 2]]) -> Option<()> {
        self.denominators.clear();
        self.denominators.extend(points.iter().map(|[_, y]| y.double()));
        self.invert()?;
        for ([x, y], inverse) in points.iter_mut().zip(&self.denominators) {
            let square = x.square();
            let slope = (square.double() + square) * inverse;
            let sum = slope.square() - x.double();
            *y = slope * (*x - sum) - *y;
            *x = sum;
        }
        Some(())
    }

    /// `points += others`, or `points -= others`.
    fn add(&mut self, points: &mut [[F; 2]], others: &[[F; 2]], negated: bool) -> Option<()> {
        self.denominators.clear();
        self.denominators.extend(points.iter().zip(others).map(|([x, _], [other, _])| *other - x));
        self.invert()?;
        for (([x, y], [other_x, other_y]), inverse) in points.iter_mut().zip(others).zip(&self.denominators) {
            let other_y = if negated { -*other_y } else { *other_y };
            let slope = (other_y - *y) * inverse;
            let sum = slope.square() - *x - other_x;
            *y = slope * (*x - sum) - *y;
            *x = sum;
        }
        Some(())
    }

    /// Inverts all denominators, unless one is zero.
    fn invert(&mut self) -> Option<()> {
        self.products.clear();
        let mut product = F::ONE;
        for denominator in &self.denominators {
            self.products.push(product);
            product *= denominator;
        }
        let mut inverse = Option::<F>::from(product.invert())?;
        for (denominator, before) in self.denominators.iter_mut().zip(&self.products).rev() {
            let own = inverse * before;
            inverse *= *denominator;
            *denominator = own;
        }
        Some(())
    }
}

/// The non-adjacent form, lowest digit first: digits -1, 0, 1, of which two in three are 0.
fn signed_digits<F: PrimeField>(scalar: &F) -> Vec<i8> {
    let repr = scalar.to_repr();
    let bit = |i: usize| repr.as_ref().get(i / 8).map_or(0, |byte| i16::from(byte >> (i % 8) & 1));
    let mut carry = 0;
    let mut digits = Vec::with_capacity(8 * repr.as_ref().len() + 1);
    for i in 0..=8 * repr.as_ref().len() {
        let low = bit(i) + carry;
        // An odd value becomes 1 or -1, whichever leaves the next bit even.
        let digit = if low == 1 { 1 - 2 * bit(i + 1) } else { 0 };
        carry = (low - digit) / 2;
        digits.push(if digit < 0 { -1 } else { i8::from(digit > 0) });
    }
    digits
}
