//! What takes minutes: `test/long/plonk-proofs-hold-at-length.test.ts` runs it.

#[path = "../support/mod.rs"]
#[expect(dead_code, reason = "shared with other tests")]
mod support;

mod many_circuits;
mod many_rows;
