/**
 * What the audit log, which is outside of etcd, says was ended after a backup: keys that were revoked, members that left, users
 * and teams that were deleted, nodes that were evicted, and what else a restore must not bring back. Of each object the last
 * entry counts, so entries from shortly before the backup do no harm. Pure.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { AlsoChanged, AuditEntry, AuditFacts, AuditObject } from "../../domain/audit-entry.ts";
import { isRotation } from "./later-rotations.ts";

export interface LaterObject {
  /** Of the last entry that is about it. */
  readonly at: Instant;
  readonly isRemoved: boolean;
  /** The last value of each fact that was changed. */
  readonly facts: AuditFacts;
  /** Null for operators and source hosts. */
  readonly byUserId: string | null;
}

/** A change after the backup that the restored store does not have. */
export interface LostChange {
  readonly at: Instant;
  readonly action: string;
  readonly kind: string;
  readonly id: string;
  readonly name: string | null;
  readonly teamId: string;
  readonly userId: string | null;
}

/** Of changes that are lost, so many are named. */
const LOST_CHANGES_MAX = 10_000;

/** Are voided by a restore. */
const VOIDED = ["session", "login_link", "join_token"];
/** What an entry of an earlier version, which has no mark for it, may have ended next to another. */
const ENDED_ALONGSIDE = ["key", "invitation"];
/** What the first change of a commit that ends some of them is about. */
const ENDED_FIRST = ["user", "member", "key", "invitation", "login_link", "session"];
/** Versions before cut a list at 2,000 bytes and did not say so: beyond this, another object may not have had room. */
const MAYBE_CUT_BYTES = 1_600;

export class LaterChanges {
  readonly #objects = new Map<string, LaterObject>();
  readonly #lost: LostChange[] = [];
  #lostTotal = 0;
  #cut: AuditEntry | null = null;
  readonly #rotations: AuditEntry[] = [];

  /** In the order in which they were made. `isAfter`: whether the backup cannot have it. */
  add(entry: AuditEntry, isAfter: boolean): void {
    const { at, teamId, object, before, after, userId } = entry;
    const key = keyOf(object, teamId);
    const earlier = before === null ? undefined : this.#objects.get(key);
    const facts = { ...earlier?.facts, ...after };
    this.#objects.set(key, { at, isRemoved: after === null, facts, byUserId: userId });
    for (const also of entry.also) {
      const alsoKey = keyOf(also, teamId);
      if (isEndedAlongside(entry, also))
        this.#objects.set(alsoKey, { at, isRemoved: true, facts: {}, byUserId: userId });
      // It is there again.
      else if (entry.alsoLeftOut !== undefined && this.#objects.get(alsoKey)?.isRemoved) this.#objects.delete(alsoKey);
    }
    if (this.#cut === null && isMaybeCut(entry)) this.#cut = entry;
    if (isAfter && isRotation(entry)) this.#rotations.push(entry);
    if (isAfter && !VOIDED.includes(object.kind) && !isEnd(entry)) this.#lose(entry);
  }

  /** Null for what was not changed. */
  of(kind: string, id: string): LaterObject | null {
    return this.#objects.get(`${kind}/${id}`) ?? null;
  }

  /** By id, when each was evicted. */
  evictedNodes(): Map<string, Instant> {
    const nodes = [...this.#objects].filter(([key, { facts }]) => key.startsWith("node/") && facts.evicted === true);
    return new Map(nodes.map(([key, { at }]) => [key.slice("node/".length), at]));
  }

  /** The first of them, and how many there are. */
  lost(): { readonly total: number; readonly changes: readonly LostChange[] } {
    return { total: this.#lostTotal, changes: this.#lost };
  }

  /** The first entry that may not name all that ended with it; null where there is none. */
  cutEntry(): AuditEntry | null {
    return this.#cut;
  }

  /** After the backup, of the nodes' authority and of the master key. */
  rotations(): readonly AuditEntry[] {
    return this.#rotations;
  }

  #lose({ at, action, object, teamId, userId }: AuditEntry): void {
    this.#lostTotal += 1;
    if (this.#lost.length < LOST_CHANGES_MAX) this.#lost.push({ at, action, ...object, teamId, userId });
  }
}

/** Of a member the id is the user's. */
function keyOf({ kind, id }: AuditObject, teamId: string): string {
  return kind === "member" ? `${kind}/${id}/${teamId}` : `${kind}/${id}`;
}

/** Not what the commit has created or enabled. */
function isEndedAlongside(entry: AuditEntry, { kind, ended }: AlsoChanged): boolean {
  if (entry.alsoLeftOut !== undefined) return ended === true;
  return ENDED_ALONGSIDE.includes(kind) && !(kind === "key" && givesKeys(entry));
}

/** Whether keys that it names were made for a new user, or enabled after a restore. */
function givesKeys({ object, before }: AuditEntry): boolean {
  return (object.kind === "user" && before === null) || (object.kind === "key" && before?.disabled === true);
}

/** A version that cut lists without a mark may have written it, and what was cut may be the end of an access. */
function isMaybeCut(entry: AuditEntry): boolean {
  const { object, also, alsoLeftOut } = entry;
  if (alsoLeftOut !== undefined || !ENDED_FIRST.includes(object.kind) || givesKeys(entry)) return false;
  const bytes = also.reduce(
    (sum, { kind, id, name }) => sum + Buffer.byteLength(JSON.stringify({ kind, id, name })),
    0,
  );
  return bytes > MAYBE_CUT_BYTES;
}

/** Whether the restore applies it again. */
function isEnd({ object, after }: AuditEntry): boolean {
  if (after === null) return object.kind !== "volume" && object.kind !== "task" && object.kind !== "build";
  switch (object.kind) {
    case "key":
      return after.revoked === true;
    case "user":
      return after.deleted === true || after.operator === false || after.authorized_keys !== undefined;
    case "team":
      return after.deleted === true;
    case "node":
      return after.evicted === true;
    case "service":
    case "shell":
      return after.state === "deleted";
    case "task":
      return after.phase === "cancelled";
    default:
      return false;
  }
}
