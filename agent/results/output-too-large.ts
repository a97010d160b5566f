/** A prover answered more than a result may have. */
export class OutputTooLargeError extends Error {
  override readonly name = "OutputTooLargeError";
}
