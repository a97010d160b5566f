/**
 * The audit entries of a commit, one for each team that it changes something of, from the changes that it makes; and further
 * ones for the ends of accesses that one has no room for. Pure.
 */
import type { Instant } from "@elastic/std/clock.ts";
import { type AlsoChanged, type AuditEntry, type AuditFacts, OF_NO_TEAM } from "../domain/audit-entry.ts";
import type { Change } from "../store/store.ts";
import { boundedFacts, boundedObjects, differing } from "./bounded-facts.ts";
import { type DescribedRecord, describeRecord } from "./describe-record.ts";

/** Who makes the commit, and how. */
export type AuditContext = Pick<AuditEntry, "action" | "userId" | "credential" | "address" | "requestId"> & {
  /** That of the call, for what does not say whose it is. */
  readonly teamId: string | null;
};

interface DescribedChange {
  readonly record: DescribedRecord;
  /** The state that names the user where nobody is logged in yet. */
  readonly value: object;
  readonly before: AuditFacts | null;
  readonly after: AuditFacts | null;
}

/** What is an access while it is there. Others that are, such as users and nodes, end in an entry of their own. */
const ACCESSES = ["key", "invitation", "member", "account", "webhook", "source_connection", "service_source"];

/**
 * Of what the commit changes of a team, the first that the audit log shows is the entry's object. The others are named with it,
 * such as a member's invitations. No entry names what is of another team.
 */
export function entriesOfCommit(
  context: AuditContext,
  changes: readonly Change[],
  { nextId, at }: { readonly nextId: () => string; readonly at: Instant },
): readonly AuditEntry[] {
  const described = changes.flatMap((change) => describeChange(change) ?? []);
  const { teamId: teamOfCall, ...who } = context;
  // Such as a user next to the first membership.
  const teamOfOthers = described.flatMap(({ record }) => record.teamId ?? [])[0] ?? teamOfCall ?? OF_NO_TEAM;
  const byTeam = Map.groupBy(described, ({ record }) => record.teamId ?? teamOfOthers);
  return [...byTeam].flatMap(([teamId, [first, ...others]]) => {
    if (first === undefined) return [];
    const userId = who.userId ?? (who.credential.kind === "login" ? userIdOf(first.value) : null);
    return parts(first, others).map(({ change: { record, before, after }, ...also }) => ({
      id: nextId(),
      at,
      teamId,
      ...who,
      userId,
      object: record.object,
      ...also,
      before: before && boundedFacts(before),
      after: after && boundedFacts(after),
    }));
  });
}

interface Part extends Pick<AuditEntry, "also" | "alsoLeftOut"> {
  readonly change: DescribedChange;
}

/** A restore relies on it that no end of an access is left out. */
function parts(change: DescribedChange, others: readonly DescribedChange[]): readonly Part[] {
  if (others.length === 0) return [{ change, also: [] }];
  const also = boundedObjects(others.map(alsoOf));
  if (also.length === others.length) return [{ change, also, alsoLeftOut: 0 }];
  const [ends, rest] = [others.filter(endsAccess), others.filter((other) => !endsAccess(other))];
  const named = boundedObjects([...ends, ...rest].map(alsoOf));
  const alsoLeftOut = rest.length - Math.max(0, named.length - ends.length);
  const [next, ...further] = ends.slice(named.length);
  return [{ change, also: named, alsoLeftOut }, ...(next === undefined ? [] : parts(next, further))];
}

function alsoOf(change: DescribedChange): AlsoChanged {
  const { object } = change.record;
  return endsAccess(change) ? { ...object, ended: true } : object;
}

function endsAccess({ record, after }: DescribedChange): boolean {
  return ACCESSES.includes(record.object.kind) && (after === null || after.revoked === true);
}

function describeChange(change: Change): DescribedChange | null {
  if (change.kind === "remove") {
    const { before } = change;
    const record = before === undefined ? null : describeRecord(change.record, before);
    return record && { record, value: before ?? {}, before: record.facts, after: null };
  }
  if (change.kind !== "write") return null;
  const record = describeRecord(change.record, change.value);
  if (record === null) return null;
  const { value, before } = change;
  const earlier = before === undefined ? null : describeRecord(change.record, before);
  if (earlier === null) return { record, value, before: null, after: record.facts };
  return { record, value, ...(differing(earlier.facts, record.facts) ?? { before: {}, after: {} }) };
}

function userIdOf(value: object): string | null {
  return "userId" in value && typeof value.userId === "string" ? value.userId : null;
}
