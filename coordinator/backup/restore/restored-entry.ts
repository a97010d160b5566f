/** What becomes of an entry of a backup when it is restored. Pure. */
import type { Instant } from "@elastic/std/clock.ts";
import { disabled } from "../../domain/access-key.ts";
import { afterRestore } from "../../domain/retry.ts";
import type { Task } from "../../domain/task.ts";
import { decodeRecord, encodeRecord, isMalformedRecord } from "../../store/codec.ts";
import { KEY_ROTATION_KEY, META_KEY, parseAnyRecordKey, type RecordKind, taskOfBytes } from "../../store/keys.ts";
import type { RecordTypes } from "../../store/store.ts";
import type { BackupEntry } from "../file/lines.ts";
import { type Closed, closeAgain } from "./close-again.ts";
import type { LaterChanges } from "./later-changes.ts";
import { unopenedEntry } from "./unopened-entry.ts";

export interface RestoreRules {
  readonly now: Instant;
  /** Whether access keys open nothing until an operator confirms them. */
  readonly disablesKeys: boolean;
  /** Whether coordinators are to start without the master keys that the backup names. */
  readonly lacksMasterKeys: boolean;
  /** Ids of those that this machine has, for where some are lacking; none, if left out. */
  readonly masterKeys?: readonly string[];
  readonly later: Pick<LaterChanges, "of">;
  /** Tasks that the archive has: they have ended, whatever the backup says. */
  readonly archived: ReadonlySet<string>;
}

export type RestoredEntry =
  | { readonly kind: "restored"; readonly value: Buffer; readonly change: EntryChange | null }
  | { readonly kind: "left out"; readonly why: LeftOut };

/** `requeued`: a task that ran. `disabled`: a key. `closed`: what was ended after the backup. */
export type EntryChange = "requeued" | "disabled" | Closed;
/**
 * `voided`: it opens something once, or for a while. `archived`: the archive has it. `unopened`: its master key is lost, and a
 * coordinator makes a new one.
 */
export type LeftOut = "voided" | "archived" | "identity" | "unopened" | Closed;

/**
 * What lets somebody in for a while, or once; and an order that the fleet may have been through, and back. Logins that were used stay:
 * they make no session again. Invitations stay too where it is known which were used since.
 */
const VOIDED: readonly RecordKind[] = [
  "sessions",
  "login-links",
  "terminal-tickets",
  "device-codes",
  "join-tokens",
  "pool-tokens",
  "source-grants",
  "agent-upgrades",
];

export function restoredEntry({ key, value }: BackupEntry, rules: RestoreRules): RestoredEntry {
  // Written at the end, with the new epoch.
  if (key === META_KEY) return leftOut("identity");
  // It names a key without which no coordinator would start.
  if (key === KEY_ROTATION_KEY && rules.lacksMasterKeys) return leftOut("voided");
  const of = parseAnyRecordKey(key);
  const isMalformed = of !== null && isMalformedRecord(of.kind, value);
  if (rules.lacksMasterKeys && !isMalformed && unopenedEntry({ key, value }, rules.masterKeys ?? [])?.isRemade)
    return leftOut("unopened");
  const taskId = taskOfBytes(key);
  if (taskId !== null) return rules.archived.has(taskId) ? leftOut("archived") : restored(value, null);
  if (of === null) return restored(value, null);
  if (VOIDED.includes(of.kind)) return leftOut("voided");
  if (of.kind === "invitations" && rules.disablesKeys) return leftOut("voided");
  if (of.kind === "tasks" && rules.archived.has(of.id)) return leftOut("archived");
  // It opens nothing and runs nothing: it comes back as it was, for whoever mends it.
  if (isMalformed) return restored(value, null);
  const { op, value: before } = decodeRecord(value);
  const closing = closeAgain(of.kind, of.id, before, rules.later);
  if (closing?.after === null) return leftOut(closing.closed);
  const closed = closing?.after ?? before;
  const after = rerun(of.kind, closed, rules);
  const change = closing?.closed ?? (after === closed ? null : of.kind === "tasks" ? "requeued" : "disabled");
  return restored(after === before ? value : encodeRecord(key, op, after), change);
}

/** The same object where nothing of it has to be begun again, or confirmed. */
function rerun(kind: RecordKind, record: object, { now, disablesKeys }: RestoreRules): object {
  if (kind === "tasks") {
    const task = record as Task;
    return task.phase.kind === "running" ? afterRestore(task, now) : task;
  }
  if (kind === "access-keys" && disablesKeys) return disabled(record as RecordTypes["access-keys"], now);
  return record;
}

function restored(value: Buffer, change: EntryChange | null): RestoredEntry {
  return { kind: "restored", value, change };
}

function leftOut(why: LeftOut): RestoredEntry {
  return { kind: "left out", why };
}
