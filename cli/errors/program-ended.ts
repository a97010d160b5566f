/** A program that the command handed over to ended otherwise than with 0: it has told why itself, and nothing is added. */
export class ProgramEnded extends Error {
  override readonly name = "ProgramEnded";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`it ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}
