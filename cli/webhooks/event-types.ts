/** Which events a webhook receives, or is forwarded of them: comma-separated, or `all`. The server knows which there are. */
import type { NewWebhook } from "../api/records.ts";
import { usageError } from "../errors/cli-error.ts";

type Types = NonNullable<NewWebhook["types"]>;

export type EventTypes = Types | "all";

/** As this version of the interface has them, for the help. */
export const KNOWN_TYPES: Types = [
  "task.succeeded",
  "task.failed",
  "task.cancelled",
  "task.timed_out",
  "task.expired",
  "deployment.ready",
  "deployment.failed",
];

/** `--types`. Throws a CliError where none is named. Unknown types are for the server to reject. */
export function parseEventTypes(text: string): EventTypes {
  return parse(text, "--types");
}

/** `--events` of what no server sees: an unknown type would never match. Throws a CliError for one, and where none is named. */
export function parseKnownTypes(text: string): EventTypes {
  const types = parse(text, "--events");
  const unknown = types === "all" ? undefined : types.find((type) => !KNOWN_TYPES.includes(type));
  if (unknown === undefined) return types;
  throw usageError(`--events names ${unknown}, which is no type of event.`, `Name some of ${KNOWN_TYPES.join(", ")}.`);
}

function parse(text: string, option: string): EventTypes {
  const types = text
    .split(",")
    .map((type) => type.trim())
    .filter((type) => type !== "");
  if (types.length === 0) throw usageError(`${option} names no type.`, "Name some, comma-separated, or give `all`.");
  return types.length === 1 && types[0] === "all" ? "all" : (types as unknown as Types);
}

/** As the interface takes it: nothing where nothing was said, and null for all. */
export function typesOf(types: EventTypes | undefined): { readonly types?: Types | null } {
  return types === undefined ? {} : { types: types === "all" ? null : types };
}
