/** What an audit entry says of records, cut to what it has room for. Pure. */
import type { AuditFacts, AuditObject } from "../domain/audit-entry.ts";

const TEXT_LENGTH_MAX = 200;
const LIST_LENGTH_MAX = 20;
/** Of before and of after; with the objects and the rest of an entry they stay below the 8 KiB of a record. */
export const FACTS_BYTES_MAX = 2_000;
const OBJECTS_BYTES_MAX = 2_000;
const CUT = "…";

type Fact = AuditFacts[string];

/** What there is no room for stands as `…`. */
export function boundedFacts(facts: AuditFacts): AuditFacts {
  let bytesLeft = FACTS_BYTES_MAX;
  const bounded = Object.entries(facts).map(([name, fact]): readonly [string, Fact] => {
    const cut = cutFact(fact);
    const bytes = Buffer.byteLength(JSON.stringify([name, cut]));
    if (bytes > bytesLeft) return [name, CUT];
    bytesLeft -= bytes;
    return [name, cut];
  });
  return Object.fromEntries(bounded);
}

function cutFact(fact: Fact): Fact {
  if (typeof fact === "string") return cutText(fact);
  if (!Array.isArray(fact)) return fact;
  const items = (fact as readonly string[]).slice(0, LIST_LENGTH_MAX).map(cutText);
  return fact.length > LIST_LENGTH_MAX ? [...items, CUT] : items;
}

function cutText(text: string): string {
  return text.length > TEXT_LENGTH_MAX ? text.slice(0, TEXT_LENGTH_MAX) + CUT : text;
}

/** Of two states of a record the facts that differ; null for both where none does. */
export function differing(
  before: AuditFacts,
  after: AuditFacts,
): { readonly before: AuditFacts; readonly after: AuditFacts } | null {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  if (names.length === 0) return null;
  const only = (facts: AuditFacts): AuditFacts =>
    Object.fromEntries(names.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]])));
  return { before: only(before), after: only(after) };
}

/** The first of them. */
export function boundedObjects<T extends AuditObject>(objects: readonly T[]): readonly T[] {
  let bytesLeft = OBJECTS_BYTES_MAX;
  const end = objects.findIndex((object) => {
    bytesLeft -= Buffer.byteLength(JSON.stringify(object));
    return bytesLeft < 0;
  });
  return end === -1 ? objects : objects.slice(0, end);
}
