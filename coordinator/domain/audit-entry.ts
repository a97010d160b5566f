/** One change, as a team's audit log has it: who changed what, from where, and what it was before and is now. */
import type { Instant } from "@elastic/std/clock.ts";

/** What is shown of a record: scalars and short lists, never a secret. */
export type AuditFacts = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** What the change was made with. `login`: a browser that logged in by it. `operator`: a command next to the store.
 * `source_host`: an event that a source host sent. */
export interface AuditCredential {
  readonly kind: "key" | "session" | "login" | "operator" | "source_host";
  /** Of the key or the session. */
  readonly id: string | null;
}

export interface AuditObject {
  /** Such as `service`. */
  readonly kind: string;
  readonly id: string;
  /** At the time of the change; null for what has none. */
  readonly name: string | null;
}

/** One that the same commit changed. */
export interface AlsoChanged extends AuditObject {
  /** Set where its end took away an access: a restore applies it again. */
  readonly ended?: true;
}

export interface AuditEntry {
  /** Entries sort by it as they were made. */
  readonly id: string;
  readonly at: Instant;
  /** OF_NO_TEAM for what is of none, such as machines. */
  readonly teamId: string;
  /** The operation of the HTTP interface, such as `createService`, or an operator's command. */
  readonly action: string;
  /** Null for operators and source hosts. */
  readonly userId: string | null;
  readonly credential: AuditCredential;
  /** Of the client, as far as trusted proxies say; null for operators. */
  readonly address: string | null;
  readonly requestId: string | null;
  readonly object: AuditObject;
  /** What the same commit changed next to it. All that ended an access is in it, or in a further entry of the commit. */
  readonly also: readonly AlsoChanged[];
  /**
   * How many others there was no room for; none of them ended an access. Not set by versions before, which cut the list
   * without a mark and whatever was in it.
   */
  readonly alsoLeftOut?: number;
  /**
   * Entries that the same process had seen by then, whoever made them, and had not named before: a removed one is noticed by
   * whoever reads this. Absent where there are none, and in entries of versions before.
   */
  readonly follows?: readonly string[];
  /** Of what was changed only what differs; null for what was created. */
  readonly before: AuditFacts | null;
  /** Null for what was removed. */
  readonly after: AuditFacts | null;
}

export const OF_NO_TEAM = "";

export interface AuditFilter {
  readonly teamId: string;
  readonly action?: string;
  readonly userId?: string;
  readonly objectId?: string;
  /** At or after. */
  readonly from?: Instant;
  readonly before?: Instant;
}

export interface AuditPage {
  readonly limit: number;
  /** Begins after this entry. */
  readonly olderThan?: string;
}

/** How many entries of a team are retained, however young: the oldest are removed first. */
export const AUDIT_ENTRIES_PER_TEAM = 100_000;

export function isListed(entry: AuditEntry, filter: AuditFilter, { olderThan }: AuditPage): boolean {
  return (
    entry.teamId === filter.teamId &&
    (filter.action === undefined || entry.action === filter.action) &&
    (filter.userId === undefined || entry.userId === filter.userId) &&
    (filter.objectId === undefined || entry.object.id === filter.objectId) &&
    (filter.from === undefined || entry.at >= filter.from) &&
    (filter.before === undefined || entry.at < filter.before) &&
    (olderThan === undefined || entry.id < olderThan)
  );
}
