/** The task's input could not be had from a coordinator. */
export class InputUnavailableError extends Error {
  override readonly name = "InputUnavailableError";
}

/** What the coordinators have under the input's digest has another one. The prover was given none of it as complete. */
export class InputCorruptError extends Error {
  override readonly name = "InputCorruptError";
}
