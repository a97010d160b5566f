/** The machine's container engine went away, or ended a container, under a prover that did nothing wrong. */
export class EngineAwayError extends Error {
  override readonly name = "EngineAwayError";
}
