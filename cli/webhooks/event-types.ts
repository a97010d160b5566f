/** `--types`: which events a webhook receives, comma-separated, or `all`. The server knows which there are. */
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

/** Throws a CliError where none is named. Unknown types are for the server to reject. */
export function parseEventTypes(text: string): EventTypes {
  const types = text
    .split(",")
    .map((type) => type.trim())
    .filter((type) => type !== "");
  if (types.length === 0) throw usageError("--types names no type.", "Name some, comma-separated, or give `all`.");
  return types.length === 1 && types[0] === "all" ? "all" : (types as unknown as Types);
}

/** As the interface takes it: nothing where nothing was said, and null for all. */
export function typesOf(types: EventTypes | undefined): { readonly types?: Types | null } {
  return types === undefined ? {} : { types: types === "all" ? null : types };
}
