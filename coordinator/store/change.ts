/** The steps of a commit, typed by the kind of record. */

import type { Versioned } from "../domain/versioned.ts";
import type { RecordKind } from "./keys.ts";
import type { Change, RecordTypes } from "./store.ts";

/** The id a record stands under. */
function idOf<K extends RecordKind>(kind: K, value: RecordTypes[K]): string {
  if (kind === "workloads") return (value as RecordTypes["workloads"]).assignmentId;
  if (kind === "memberships") {
    const { userId, teamId } = value as RecordTypes["memberships"];
    return `${userId}/${teamId}`;
  }
  return (value as { readonly id: string }).id;
}

/** Holds only if no record of that id exists. */
export function create<K extends RecordKind>(kind: K, value: RecordTypes[K]): Change {
  return { kind: "write", record: kind, id: idOf(kind, value), from: 0, value };
}

/** Holds only if the record still is as `before` was read. */
export function replace<K extends RecordKind>(
  kind: K,
  before: Versioned<RecordTypes[K]>,
  value: RecordTypes[K],
): Change {
  return { kind: "write", record: kind, id: idOf(kind, value), from: before.revision, value, before: before.value };
}

/** Creates the record where `before` says that there is none, and replaces that one otherwise. */
export function put<K extends RecordKind>(
  kind: K,
  before: Versioned<RecordTypes[K]> | null | undefined,
  value: RecordTypes[K],
): Change {
  return before == null ? create(kind, value) : replace(kind, before, value);
}

export function remove<K extends RecordKind>(kind: K, before: Versioned<RecordTypes[K]>): Change {
  return { kind: "remove", record: kind, id: idOf(kind, before.value), from: before.revision, before: before.value };
}

export function unchanged<K extends RecordKind>(kind: K, read: Versioned<RecordTypes[K]>): Change {
  return { kind: "unchanged", record: kind, id: idOf(kind, read.value), from: read.revision };
}

export function inputBytes(taskId: string, data: Buffer): Change {
  return { kind: "bytes", of: "input", taskId, data };
}

/** Together with their record. */
export function removeBytes(of: "input" | "result", taskId: string): Change {
  return { kind: "remove-bytes", of, taskId };
}

export function resultBytes(taskId: string, data: Buffer): Change {
  return { kind: "bytes", of: "result", taskId, data };
}
