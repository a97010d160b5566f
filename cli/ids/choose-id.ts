/** An id as a person gives it: whole, its first characters, or `latest`. Pure. */
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

/** Ids begin with the time: what is shorter is that of everything of some hours. */
const PREFIX_CHARS_MIN = 8;
const PREFIX = new RegExp(`^[0-9a-f]{${PREFIX_CHARS_MIN},31}$`);
const CANDIDATES_MAX = 5;
const LATEST = "latest";

/** Whether it takes a list to know which is meant. */
export function isPartOfId(given: string): boolean {
  return given === LATEST || PREFIX.test(given);
}

/** Of `ids`, the newest first. What matches none is returned as it is: the service says that it is not there. */
export function chooseId(noun: string, given: string, ids: readonly string[]): string {
  if (given === LATEST) {
    const [newest] = ids;
    if (newest !== undefined) return newest;
    throw new CliError(`There is no ${noun} yet.`, { exitCode: EXIT.notFound, code: "not_found" });
  }
  const matching = ids.filter((id) => id.startsWith(given));
  if (matching.length > 1) {
    const shown = matching.slice(0, CANDIDATES_MAX).join(", ");
    const more = matching.length > CANDIDATES_MAX ? ", …" : "";
    throw usageError(`${given} is the beginning of several ids of a ${noun}.`, `Give one of: ${shown}${more}.`);
  }
  return matching[0] ?? given;
}
