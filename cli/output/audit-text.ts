/** What an entry of the audit log says was changed, on one line. */
import type { AuditEntryRecord } from "../api/records.ts";

type Facts = NonNullable<AuditEntryRecord["before"]>;

export function objectText({ object: { kind, id, name } }: AuditEntryRecord): string {
  return `${kind} ${name ?? id}`;
}

/** Of a change what differs; of what was created or removed nothing, which the action says. */
export function changeText({ before, after }: AuditEntryRecord): string | null {
  if (before === null || after === null) return null;
  const names = Object.keys({ ...before, ...after });
  return names.length === 0
    ? null
    : names.map((name) => `${name}: ${factText(before, name)} -> ${factText(after, name)}`).join("; ");
}

function factText(facts: Facts, name: string): string {
  const fact = facts[name];
  if (fact === null || fact === undefined) return "none";
  return Array.isArray(fact) ? `[${fact.join(", ")}]` : String(fact);
}
