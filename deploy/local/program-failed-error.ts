/** A program that this one started has ended, or did not become ready. */
import { failureReason } from "./failure-reason.ts";

export class ProgramFailedError extends Error {
  override readonly name = "ProgramFailedError";
  /** One sentence for a user; the message has the end of the log instead. */
  readonly summary: string;

  constructor(
    { name, logFile }: { readonly name: string; readonly logFile: string },
    what: string,
    lines: readonly string[],
  ) {
    super(`${name} ${what}:\n${lines.join("\n")}`);
    const reason = failureReason(lines);
    this.summary = `${name} ${what}${reason === null ? "" : `: ${reason}`}. Its log: ${logFile}`;
  }
}
