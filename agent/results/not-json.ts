/** What a prover returned is not the JSON text that it has to be; the message says where. */
export class NotJsonError extends Error {
  override readonly name = "NotJsonError";
}
