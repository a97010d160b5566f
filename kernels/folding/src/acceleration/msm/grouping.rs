//! Values sorted to groups by a small key.

/// Values in the order of their groups.
pub(super) struct Grouping {
    values: Vec<u32>,
    /// Where the values of each group end.
    ends: Vec<u32>,
}

impl Grouping {
    /// Sorts each value to the group that its key names (a counting sort).
    pub(super) fn new(keys: &[u32], values: impl Iterator<Item = u32>, groups: usize) -> Self {
        // First how many values each group has, then where its next one goes.
        let mut ends = vec![0u32; groups];
        for &key in keys {
            ends[key as usize] += 1;
        }
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        let mut sorted = vec![0; start as usize];
        for (&key, value) in keys.iter().zip(values) {
            let place = &mut ends[key as usize];
            sorted[*place as usize] = value;
            *place += 1;
        }
        Self { values: sorted, ends }
    }

    /// The values of each group, in the order of keys.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.values[start as usize..end as usize])
    }
}
