/**
 * Finds members named `__proto__`, which are ordinary in JSON. What copies objects loses such a member without a
 * word, schemas too, so that a client would take for accepted what was dropped.
 */
import { escapeToken } from "../problems/json-pointer.ts";

/** The JSON pointer of the first one, or null. The value is no deeper than the gate lets it be. */
export function findProtoMember(value: unknown, at = "#"): string | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const pointer = `${at}/${escapeToken(key)}`;
    const found = key === "__proto__" ? pointer : findProtoMember(member, pointer);
    if (found !== null) return found;
  }
  return null;
}
