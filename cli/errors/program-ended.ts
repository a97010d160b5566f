/** A program that the command handed over to ended with another code than 0: it has printed why, and nothing is added. */
export class ProgramEnded extends Error {
  override readonly name = "ProgramEnded";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`it ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}
