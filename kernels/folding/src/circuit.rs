//! The circuit of a verifier: variables, and rows that constrain them.
