/**
 * An entry of the audit log is written once and never changes. Exports that overlap list it twice, perhaps in another order, by
 * another version, or with as much of `also` as there was room for: that is no change. What both state and differs is one.
 */
import { type Check, count, type Violation, violation } from "../check.ts";
import type { At, AuditLine } from "../history-line.ts";

export const audit: Check = {
  name: "audit",
  lacks: ({ audit: entries }) => (entries.length === 0 ? "no audit log" : null),
  find({ audit: entries }) {
    const byId = Map.groupBy(entries, ({ entry_id }) => entry_id);
    const violations = [...byId].flatMap(([id, same]) => different(id, same));
    const judged = `${count(byId.size, "entry").replace(/entrys$/, "entries")}, listed ${count(entries.length, "time")}`;
    return { violations, judged };
  },
};

/** All are compared with one that lists the most, so that what that one lacks of another is not left out by it. */
function different(id: string, entries: readonly At<AuditLine>[]): readonly Violation[] {
  const [fullest, ...others] = entries.toSorted((a, b) => b.also.length - a.also.length);
  if (fullest === undefined) return [];
  const what = new Set(others.flatMap((other) => contradictions(fullest, other)));
  if (what.size === 0) return [];
  const sentence = `the audit entry ${id} is not the same each time it is listed: ${[...what].join(", ")} differ`;
  return [violation(sentence, [], ...entries.map(({ place }) => place))];
}

function contradictions(one: AuditLine, other: AuditLine): readonly string[] {
  const differs: Readonly<Record<string, boolean>> = {
    created: instant(one.created) !== instant(other.created),
    action: one.action !== other.action,
    object: objectText(one.object) !== objectText(other.object),
    also: !isRest(one, other) || !isRest(other, one),
    after: factsText(one.after) !== factsText(other.after),
  };
  return Object.keys(differs).filter((name) => differs[name]);
}

/** Whether what `one` lists and `other` does not is what `other` states to have left out. */
function isRest(one: AuditLine, other: AuditLine): boolean {
  const listed = new Set(other.also.map(objectText));
  const lacking = new Set(one.also.map(objectText).filter((object) => !listed.has(object)));
  // Earlier versions cut the list without a mark, which is shown as null.
  return lacking.size <= (other.also_left_out ?? Number.POSITIVE_INFINITY);
}

/** A name is shown as it is when it is listed. */
function objectText({ kind, id }: AuditLine["object"]): string {
  return JSON.stringify([kind, id]);
}

/** The order of members and of lists means nothing, nor does a member that is null. */
function factsText(facts: AuditLine["after"]): string {
  if (facts === null) return "null";
  const known = Object.entries(facts).filter(([, fact]) => fact !== null);
  const texts = known.map(([name, fact]) => [name, Array.isArray(fact) ? fact.map(String).sort() : fact]);
  return JSON.stringify(texts.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** All are in UTC. */
function instant(text: string): number {
  return Date.parse(text.endsWith("Z") ? text : `${text}Z`);
}
