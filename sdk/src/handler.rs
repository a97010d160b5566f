//! What a prover implements.

use std::{fmt::Display, future::Future};

use serde::{Serialize, de::DeserializeOwned};

/// A prover: a function from a task's input to its proof.
///
/// The value is never made; the type only names the function. `prove` runs on dedicated threads, so it may
/// compute for hours without awaiting anything. One proof runs at a time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a prover yet",
    label = "`run` needs a type that implements `ProofHandler`",
    note = "write `impl ProofHandler for {Self}` with the types `Input`, `Output`, `Error` and \
            `async fn prove(input: Self::Input) -> Result<Self::Output, Self::Error>`"
)]
pub trait ProofHandler: 'static {
    /// What a task's `input` is read as. An input that does not fit is refused before `prove` sees it, with
    /// the reader's message, so checks belong into its `Deserialize`.
    type Input: DeserializeOwned + Send + 'static;

    /// The proof, written as JSON. A string becomes the task's result as it is, other values as JSON text.
    type Output: Serialize + Send + 'static;

    /// Why there is no proof. Its `Display` is what the task's owner reads.
    type Error: Display + Send + 'static;

    /// An input in JSON, for the line that [`run`](crate::run) prints to try the prover with.
    const EXAMPLE_INPUT: &'static str = "{}";

    /// Makes a proof. Write it as `async fn prove(input: Self::Input) -> Result<Self::Output, Self::Error>`.
    ///
    /// If the caller goes away the future is dropped at its next `await`; code that computes without awaiting
    /// checks [`cancelled`](crate::cancelled). A panic becomes an error response and the program continues, unless
    /// the build sets `panic = "abort"`.
    fn prove(input: Self::Input) -> impl Future<Output = Result<Self::Output, Self::Error>> + Send;
}
