/** What an entry of the audit log says was changed, a line each. Pure. */
import type { components } from "elastic-client/gen/schema.ts";

export type AuditEntry = components["schemas"]["AuditEntry"];
type Facts = NonNullable<AuditEntry["before"]>;

/** Of a change what differs; of what was created what it is. What was removed is named by the object. */
export function changeLines({ before, after }: Pick<AuditEntry, "before" | "after">): readonly string[] {
  if (after === null) return [];
  if (before === null) {
    return Object.entries(after).flatMap(([name, fact]) => (isNothing(fact) ? [] : [`${name}: ${factText(fact)}`]));
  }
  const names = Object.keys({ ...before, ...after });
  return names.map((name) => `${name}: ${factText(before[name])} → ${factText(after[name])}`);
}

function isNothing(fact: Facts[string] | undefined): boolean {
  return fact === null || fact === undefined || fact === false || (Array.isArray(fact) && fact.length === 0);
}

function factText(fact: Facts[string] | undefined): string {
  if (fact === null || fact === undefined) return "none";
  if (!Array.isArray(fact)) return String(fact);
  return fact.length === 0 ? "none" : fact.join(", ");
}
