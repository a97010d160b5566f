/** The task's input could not be had from a coordinator. */
export class InputUnavailableError extends Error {
  override readonly name = "InputUnavailableError";
}
