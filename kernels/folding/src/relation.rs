//! What is folded: groups of polynomial constraints over one vector.
