//! The values of a dishonest prover's ladder.

use halo2curves::CurveAffine;
use halo2curves::bn256::Fr;
use halo2curves::ff::Field as _;
use halo2curves::group::Curve as _;

use super::super::{NativeCurve, coordinates};
use super::{Grumpkin, turned};

/// A ladder in numbers, where a prover may continue from any accumulator.
pub(super) struct Model<'a> {
    pub(super) vector: &'a [Fr],
    pub(super) scalar: u128,
    pub(super) x: Fr,
    pub(super) y: Fr,
}

impl Model<'_> {
    fn addend(&self, bit_index: usize) -> (Fr, Fr) {
        let base = Grumpkin::from_xy(self.x, self.y).unwrap();
        let phi = turned(base);
        let bit = |number: u128| number >> (127 - bit_index) & 1;
        let e = i8::try_from(bit(self.scalar)).unwrap() - i8::try_from(bit(Grumpkin::OFFSET.a)).unwrap();
        let signed = if bit(Grumpkin::OFFSET.g) == 1 { phi } else { -phi };
        let sum = match e {
            0 => signed,
            1 => (base + signed).to_affine(),
            _ => (signed + -base).to_affine(),
        };
        coordinates(sum)
    }

    /// Slopes from this bit on, and the last accumulator, when the accumulator is (x, y): on no curve that has to be.
    fn continue_from(
        &self,
        vector: &mut [Fr],
        from: usize,
        (mut x, mut y): (Fr, Fr),
        slopes: usize,
        last: usize,
    ) {
        for bit_index in from..128 {
            let (dx, dy) = self.addend(bit_index);
            let first = (y - dy) * (x - dx).invert().unwrap();
            let sum_x = first.square() - x - dx;
            let second = y.double() * (x - sum_x).invert().unwrap() - first;
            (vector[slopes + 2 * bit_index], vector[slopes + 2 * bit_index + 1]) = (first, second);
            let next = second.square() - first.square() + dx;
            y = second * (x - next) - y;
            x = next;
        }
        (vector[last], vector[last + 1]) = (x, y);
    }

    fn accumulator(&self, before: usize, slopes: usize, tangent: Fr) -> (Fr, Fr) {
        let phi_x = self.x * Grumpkin::beta();
        let mut x = tangent.square() - phi_x.double();
        let mut y = tangent * (phi_x - x) - self.y;
        for bit_index in 0..before {
            let (first, second) =
                (self.vector[slopes + 2 * bit_index], self.vector[slopes + 2 * bit_index + 1]);
            let next = second.square() - first.square() + self.addend(bit_index).0;
            y = second * (x - next) - y;
            x = next;
        }
        (x, y)
    }

    pub(super) fn with_a_broken_row(
        &self,
        bit_index: usize,
        row: usize,
        tangent: usize,
        slopes: usize,
        last: usize,
    ) -> Vec<Fr> {
        let mut vector = self.vector.to_vec();
        let (x, y) = self.accumulator(bit_index, slopes, self.vector[tangent]);
        let (dx, dy) = self.addend(bit_index);
        let mut first = (y - dy) * (x - dx).invert().unwrap();
        if row == 0 {
            // Another first line; the second one still has the true y.
            first += Fr::ONE;
        }
        let second = y.double() * (x.double() + dx - first.square()).invert().unwrap() - first;
        let next = second.square() - first.square() + dx;
        // Another height of the next accumulator, which the next bit's slopes claim.
        let height = second * (x - next) - y + if row == 1 { Fr::ONE } else { Fr::ZERO };
        (vector[slopes + 2 * bit_index], vector[slopes + 2 * bit_index + 1]) = (first, second);
        if bit_index == 127 {
            (vector[last], vector[last + 1]) = (next, height);
        } else {
            self.continue_from(&mut vector, bit_index + 1, (next, height), slopes, last);
        }
        vector
    }

    pub(super) fn with_another_tangent(&self, tangent: usize, slopes: usize, last: usize) -> Vec<Fr> {
        let mut vector = self.vector.to_vec();
        vector[tangent] += Fr::ONE;
        let start = self.accumulator(0, slopes, vector[tangent]);
        self.continue_from(&mut vector, 0, start, slopes, last);
        vector
    }

    pub(super) fn started_elsewhere(&self, slopes: usize, last: usize) -> Vec<Fr> {
        let mut vector = self.vector.to_vec();
        let phi_x = self.x * Grumpkin::beta();
        let tangent = phi_x.square() * Fr::from(3) * self.y.double().invert().unwrap();
        let (x, y) = self.accumulator(0, slopes, tangent);
        self.continue_from(&mut vector, 0, (x, y + Fr::ONE), slopes, last);
        vector
    }
}
