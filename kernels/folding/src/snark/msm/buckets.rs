//! One window: sums of the points of each digit, and their weighted sum.

use halo2curves::CurveAffine;
use halo2curves::ff::Field;
use halo2curves::group::Group;

use super::digits::Digits;

/// Additions that share an inversion: as many as the nearest cache holds the denominators of.
const PAIRS: usize = 512;

/// The point of coordinates that are known to have one.
pub(super) fn point<C: CurveAffine>([x, y]: &[C::Base; 2]) -> C {
    Option::from(C::from_xy(*x, *y)).expect("sums and multiples of points of a curve are on it")
}

/// The memory that windows use one after the other.
pub(super) struct Window<F> {
    /// Points, those of a bucket together.
    points: Vec<[F; 2]>,
    /// How many there are of each bucket.
    lengths: Vec<usize>,
    pairs: Pairs<F>,
}

impl<F: Field> Default for Window<F> {
    fn default() -> Self {
        let pairs = Pairs { denominators: Vec::new(), products: Vec::new() };
        Self { points: Vec::new(), lengths: Vec::new(), pairs }
    }
}

impl<F: Field> Window<F> {
    /// `Σ digit_i · point_i` for the digits of window `index`.
    pub(super) fn sum<C: CurveAffine<Base = F>>(
        &mut self,
        digits: &Digits,
        index: usize,
        points: &[Option<[F; 2]>],
    ) -> C::CurveExt {
        self.sort(digits, index, points);
        while self.lengths.iter().any(|length| *length > 1) {
            self.add_pairs();
        }
        let mut running = C::CurveExt::identity();
        let mut sum = C::CurveExt::identity();
        let mut end = self.points.len();
        for length in self.lengths.iter().rev() {
            if *length == 1 {
                end -= 1;
                running += point::<C>(&self.points[end]);
            }
            sum += running;
        }
        sum
    }

    /// Puts each point, with the sign of its digit, to the others of that digit. Bucket `b` is for digits `b + 1` and
    /// `-(b + 1)`.
    fn sort(&mut self, digits: &Digits, index: usize, points: &[Option<[F; 2]>]) {
        self.lengths.clear();
        self.lengths.resize(1 << (digits.bits() - 1), 0);
        for digit in digits.of_window(index).filter(|digit| *digit != 0) {
            self.lengths[digit.unsigned_abs() as usize - 1] += 1;
        }
        let mut next: Vec<usize> = Vec::with_capacity(self.lengths.len());
        let mut total = 0;
        for length in &self.lengths {
            next.push(total);
            total += length;
        }
        self.points.clear();
        self.points.resize(total, [F::ZERO; 2]);
        // A point of no coordinates has a scalar of zero.
        for (point, digit) in points.iter().zip(digits.of_window(index)) {
            let (Some([x, y]), true) = (point, digit != 0) else { continue };
            let place = &mut next[digit.unsigned_abs() as usize - 1];
            self.points[*place] = [*x, if digit < 0 { -*y } else { *y }];
            *place += 1;
        }
    }

    /// Adds the points of each bucket in pairs. The sums move up, to stand together again.
    fn add_pairs(&mut self) {
        let (mut from, mut to) = (0, 0);
        let mut bucket = 0;
        // Where the current bucket's points end, and where its sums begin.
        while bucket < self.lengths.len() {
            // As many buckets as fill a batch of pairs.
            let (first, start) = (bucket, from);
            let mut pairs = 0;
            while bucket < self.lengths.len() && (pairs == 0 || pairs + self.lengths[bucket] / 2 <= PAIRS) {
                pairs += self.lengths[bucket] / 2;
                from += self.lengths[bucket];
                bucket += 1;
            }
            self.pairs.invert(&self.points[start..from], &self.lengths[first..bucket]);
            to = self.pairs.add(&mut self.points, start, to, &mut self.lengths[first..bucket]);
        }
        self.points.truncate(to);
    }
}

/// The slopes' denominators of a batch of additions.
struct Pairs<F> {
    denominators: Vec<F>,
    products: Vec<F>,
}

impl<F: Field> Pairs<F> {
    /// The inverse of each pair's denominator.
    fn invert(&mut self, points: &[[F; 2]], lengths: &[usize]) {
        self.denominators.clear();
        self.products.clear();
        let mut product = F::ONE;
        let mut rest = points;
        for length in lengths {
            let (bucket, others) = rest.split_at(*length);
            rest = others;
            for pair in bucket.chunks_exact(2) {
                let denominator = denominator(&pair[0], &pair[1]);
                self.denominators.push(denominator);
                self.products.push(product);
                product *= denominator;
            }
        }
        let mut inverse = Option::<F>::from(product.invert()).expect("no denominator is zero");
        for (denominator, before) in self.denominators.iter_mut().zip(&self.products).rev() {
            let own = inverse * before;
            inverse *= *denominator;
            *denominator = own;
        }
    }

    /// Adds the pairs of the buckets whose points begin at `from`, and writes what is left of each bucket from `to` on,
    /// which is not behind. Answers where it ends.
    fn add(&self, points: &mut [[F; 2]], mut from: usize, mut to: usize, lengths: &mut [usize]) -> usize {
        let mut inverses = self.denominators.iter();
        for length in lengths {
            let (end, start) = (from + *length, to);
            while from + 1 < end {
                let inverse = inverses.next().expect("an inverse for each pair");
                if let Some(sum) = add(&points[from], &points[from + 1], inverse) {
                    points[to] = sum;
                    to += 1;
                }
                from += 2;
            }
            if from < end {
                points[to] = points[from];
                (to, from) = (to + 1, from + 1);
            }
            *length = to - start;
        }
        to
    }
}

/// What the slope of the line through two points is divided by; 1 for opposite ones, which have none. Points of prime
/// order have no `y` of zero.
fn denominator<F: Field>([x, y]: &[F; 2], [other_x, other_y]: &[F; 2]) -> F {
    if x != other_x {
        *other_x - x
    } else if y == other_y {
        y.double()
    } else {
        F::ONE
    }
}

/// The sum of two points, unless it is the identity.
fn add<F: Field>([x, y]: &[F; 2], [other_x, other_y]: &[F; 2], inverse: &F) -> Option<[F; 2]> {
    let slope = if x != other_x {
        (*other_y - y) * inverse
    } else if y == other_y {
        let square = x.square();
        (square.double() + square) * inverse
    } else {
        return None;
    };
    let sum = slope.square() - x - other_x;
    Some([sum, slope * (*x - sum) - y])
}
