//! Commitments to vectors: keys, their caches, and powers of tau.
