//! Distinct tuples of field elements, found again by their values.

use halo2curves::ff::PrimeField;

/// Distinct tuples of one width, numbered in the order in which they came.
///
/// Tuples are found by open addressing over a hash of their canonical encodings. The hash is not keyed: what is in
/// a table is chosen by the author of a circuit, who can slow down nobody else.
#[derive(Clone, Debug)]
pub struct Tuples<F> {
    width: usize,
    elements: Vec<F>,
    /// Number of a tuple plus 1, or 0 where the slot is free. A power of two in length, at most half full.
    slots: Vec<u32>,
}

impl<F: PrimeField> Tuples<F> {
    pub(super) fn new(width: usize) -> Self {
        Self { width, elements: Vec::new(), slots: vec![0; 16] }
    }

    /// Elements of a tuple.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        self.elements.len().checked_div(self.width).unwrap_or(0)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// All tuples, one after the other.
    pub fn elements(&self) -> &[F] {
        &self.elements
    }

    /// The tuple of a number below [`Tuples::len`].
    pub fn tuple(&self, number: usize) -> &[F] {
        &self.elements[number * self.width..(number + 1) * self.width]
    }

    /// The number of a tuple, if it is among these.
    pub fn find(&self, tuple: &[F]) -> Option<u32> {
        self.slots[self.slot(tuple)].checked_sub(1)
    }

    /// The number of a tuple, which is added if it is new.
    pub(super) fn insert(&mut self, tuple: &[F]) -> u32 {
        debug_assert_eq!(tuple.len(), self.width, "all tuples have one width");
        let slot = self.slot(tuple);
        if let Some(number) = self.slots[slot].checked_sub(1) {
            return number;
        }
        let number =
            u32::try_from(self.len()).expect("a table has at most 2^32 rows, and a circuit fewer constants");
        self.elements.extend_from_slice(tuple);
        self.slots[slot] = number + 1;
        if self.slots.len() < 2 * self.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for number in 0..self.len() {
            let slot = self.slot(self.tuple(number));
            self.slots[slot] = u32::try_from(number + 1).expect("numbers were checked when tuples came");
        }
    }

    /// The slot that holds the tuple, or the free one where it would be.
    fn slot(&self, tuple: &[F]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash(tuple) & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.tuple(number as usize) == tuple {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }
}

/// Multiply and rotate over the words of the canonical encodings, with the product's high half taken at the end.
#[expect(clippy::cast_possible_truncation, reason = "any bits of a hash will do")]
fn hash<F: PrimeField>(tuple: &[F]) -> usize {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut state = 0u64;
    for element in tuple {
        for word in element.to_repr().as_ref().chunks(8) {
            let mut bytes = [0; 8];
            bytes[..word.len()].copy_from_slice(word);
            state = (state.rotate_left(23) ^ u64::from_le_bytes(bytes)).wrapping_mul(ODD);
        }
    }
    (state ^ (state >> 32)) as usize
}

#[cfg(test)]
mod tests;
