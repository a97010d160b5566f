//! Sums of many groups of points at once, in affine coordinates.
//!
//! Each round adds the points of every group in pairs, and all additions of a round share one inversion
//! (Montgomery's trick): an addition costs five multiplications and a square. A group may have any size, so that
//! scalars which are nearly all equal are as quick as random ones.

use halo2curves::ff::Field;

/// A point by its coordinates; `(0, 0)`, which is on no curve used here, is the identity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Xy<F> {
    pub(super) x: F,
    pub(super) y: F,
}

impl<F: Field> Xy<F> {
    pub(super) const IDENTITY: Self = Self { x: F::ZERO, y: F::ZERO };

    pub(super) fn is_identity(&self) -> bool {
        self.x.is_zero_vartime() && self.y.is_zero_vartime()
    }

    fn negated(&self) -> Self {
        Self { x: self.x, y: -self.y }
    }

    pub(super) fn negated_if(&self, negative: bool) -> Self {
        if negative { self.negated() } else { *self }
    }
}

/// How many products are made side by side.
const LANES: usize = 4;

/// Sums of groups, with their memory reused from one call to the next.
pub(super) struct AffineSums<F> {
    points: Vec<Xy<F>>,
    halved: Vec<Xy<F>>,
    group_lens: Vec<u32>,
    /// Where the first operand of each addition of a round is (the second follows it), and where the sum goes.
    pairs: Vec<(u32, u32)>,
    /// Of each addition, the product of the denominators before it, and its own.
    denominators: Vec<(F, F)>,
    /// Whether points of one abscissa or the identity may meet.
    is_special: bool,
}

impl<F: Field> AffineSums<F> {
    pub(super) fn new() -> Self {
        Self {
            points: Vec::new(),
            halved: Vec::new(),
            group_lens: Vec::new(),
            pairs: Vec::new(),
            denominators: Vec::new(),
            is_special: false,
        }
    }

    /// Forgets all groups.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.group_lens.clear();
        self.is_special = false;
    }

    /// Adds a group of points, none of them the identity; without points it is left out of the sums.
    pub(super) fn push_group(&mut self, points: impl Iterator<Item = Xy<F>>) {
        let before = self.points.len();
        self.points.extend(points);
        let len = self.points.len() - before;
        if len > 0 {
            self.group_lens.push(len as u32);
        }
    }

    /// The sum of each group, in the order in which they were added.
    pub(super) fn sums(&mut self) -> &[Xy<F>] {
        while self.points.len() > self.group_lens.len() {
            self.round();
        }
        &self.points
    }

    /// Adds the points of each group in pairs.
    fn round(&mut self) {
        self.pair_up();
        // Several products, so that a multiplication need not wait for the one before it.
        let mut products = [F::ONE; LANES];
        self.denominators.clear();
        self.denominators.extend(self.pairs.iter().enumerate().map(|(i, &(from, _))| {
            let [a, b] = operands(&self.points, from);
            let denominator = if self.is_special { special_denominator(a, b) } else { b.x - a.x };
            let before = products[i % LANES];
            products[i % LANES] *= denominator;
            (before, denominator)
        }));
        let Some(mut inverses) = inverses(&products) else {
            // Two points of one abscissa met. It is rare, so only now is every pair looked at.
            self.is_special = true;
            return self.round();
        };
        for (i, &(from, to)) in self.pairs.iter().enumerate().rev() {
            let [a, b] = operands(&self.points, from);
            let (before, denominator) = &self.denominators[i];
            let inverse = inverses[i % LANES] * before;
            inverses[i % LANES] *= denominator;
            self.halved[to as usize] = if self.is_special {
                special_add(a, b, inverse)
            } else {
                through(a, b, (b.y - a.y) * inverse)
            };
        }
        self.group_lens.iter_mut().for_each(|len| *len = len.div_ceil(2));
        std::mem::swap(&mut self.points, &mut self.halved);
    }

    /// Pairs the points of each group, and copies the remaining one.
    fn pair_up(&mut self) {
        self.pairs.clear();
        self.halved.clear();
        let mut from = 0;
        for len in &self.group_lens {
            for _ in 0..*len / 2 {
                self.pairs.push((from, self.halved.len() as u32));
                self.halved.push(Xy::IDENTITY);
                from += 2;
            }
            if *len % 2 == 1 {
                self.halved.push(self.points[from as usize]);
                from += 1;
            }
        }
    }
}

fn operands<F>(points: &[Xy<F>], from: u32) -> [&Xy<F>; 2] {
    let from = from as usize;
    [&points[from], &points[from + 1]]
}

/// The inverses of the products, if none is zero.
fn inverses<F: Field>(products: &[F; LANES]) -> Option<[F; LANES]> {
    let mut befores = [F::ONE; LANES];
    let mut product = F::ONE;
    for (before, factor) in befores.iter_mut().zip(products) {
        *before = product;
        product *= factor;
    }
    let mut inverse = Option::<F>::from(product.invert())?;
    let mut inverses = befores;
    for (result, factor) in inverses.iter_mut().zip(products).rev() {
        *result *= inverse;
        inverse *= factor;
    }
    Some(inverses)
}

/// What has to be inverted to add any two points: never zero, as no point has order two.
fn special_denominator<F: Field>(a: &Xy<F>, b: &Xy<F>) -> F {
    if a.is_identity() || b.is_identity() {
        F::ONE
    } else if a.x != b.x {
        b.x - a.x
    } else if a.y == b.y {
        a.y.double()
    } else {
        F::ONE
    }
}

/// `a + b` for any two points, given the inverse of their denominator.
fn special_add<F: Field>(a: &Xy<F>, b: &Xy<F>, inverse: F) -> Xy<F> {
    if a.is_identity() {
        *b
    } else if b.is_identity() {
        *a
    } else if a.x != b.x {
        through(a, b, (b.y - a.y) * inverse)
    } else if a.y == b.y {
        let square = a.x.square();
        through(a, b, (square.double() + square) * inverse)
    } else {
        Xy::IDENTITY
    }
}

/// The third point, negated, on the line through `a` and `b` of this slope.
#[inline(always)]
fn through<F: Field>(a: &Xy<F>, b: &Xy<F>, slope: F) -> Xy<F> {
    let x = slope.square() - a.x - b.x;
    Xy { x, y: slope * (a.x - x) - a.y }
}
