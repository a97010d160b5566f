//! Nothing. Its manifest names the features that any of the provers, or any test, needs of a dependency that they share: a
//! build of one of them finds what a build of all has compiled (docs/decisions/2026-11-21-rust-one-release-graph.md).
