/** An id as a person gives it: complete, its first characters, or `latest`. Pure. */
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

/** Ids begin with the time: what is shorter is that of everything of some hours. */
const PREFIX_CHARS_MIN = 8;
const PREFIX = new RegExp(`^[0-9a-f]{${PREFIX_CHARS_MIN},31}$`);
const TOO_SHORT = new RegExp(`^[0-9a-f]{1,${PREFIX_CHARS_MIN - 1}}$`);
const CANDIDATES_MAX = 5;
export const LATEST = "latest";
/** For the help of an argument that is an id, after what shows it. */
export const OR_PART_OF_ID = `its first ${PREFIX_CHARS_MIN} characters or more, or ${LATEST}`;

/** Whether it takes a list to know which is meant. */
export function isPartOfId(given: string): boolean {
  return given === LATEST || PREFIX.test(given);
}

/** For ids that no name stands in for: throws a CliError for a beginning that is too short. */
export function refuseTooShort(noun: string, given: string): void {
  if (!TOO_SHORT.test(given)) return;
  throw usageError(
    `${given} is too short for the beginning of the id of a ${noun}.`,
    `Give its first ${PREFIX_CHARS_MIN} characters or more, or ${LATEST}.`,
  );
}

/**
 * Of `ids`, the newest first. What matches none is returned unchanged: the service responds that it does not exist.
 * Throws a CliError where several ids begin so, with exit code 2, and for `latest` of no ids.
 */
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

/** Of `all`, the one whose id begins with `given`; null where none does. Throws a CliError where several do. */
export function findByPrefix<T>(noun: string, given: string, all: readonly T[], idOf: (one: T) => string): T | null {
  if (!PREFIX.test(given)) return null;
  const chosen = chooseId(noun, given, all.map(idOf));
  return all.find((one) => idOf(one) === chosen) ?? null;
}
