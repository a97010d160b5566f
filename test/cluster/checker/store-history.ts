/**
 * Every write of a task's record since the first revision, as etcd itself has it: by a watch from revision 1
 * over its own HTTP gateway, not by the client library that the coordinator uses.
 */

import { randomBytes } from "node:crypto";
import type { Task } from "@elastic/coordinator/domain/task.ts";
import { recordPrefix } from "@elastic/coordinator/store/keys.ts";

/** One write. `task` is null when the record was removed. */
export interface StoreEvent {
  readonly taskId: string;
  readonly revision: number;
  readonly task: Task | null;
  /** When the watcher received it; left out by one that reads the history afterwards. */
  readonly atMs?: number;
}

/** Holds the coordinators' keys and the mark at the end of the history, which no coordinator reads. */
const WATCHED = { key: "/elastic", rangeEnd: "/elastid" };
const TASKS = recordPrefix("tasks");
const MARK_PREFIX = "/elastic-checker/";
const READ_TIMEOUT_MS = 60_000;

interface KeyValue {
  readonly key: string;
  readonly value?: string;
  readonly mod_revision: string;
}

interface WatchMessage {
  readonly result?: {
    readonly canceled?: boolean;
    readonly compact_revision?: string;
    readonly events?: readonly {
      readonly type?: "DELETE";
      readonly kv: KeyValue;
    }[];
  };
}

/** What was to be read is no longer there. */
export class CompactedError extends Error {}

/** Reads the history up to now. Rejects when its beginning has been compacted away. */
export async function readStoreHistory(etcdEndpoint: string, fromRevision = 1): Promise<readonly StoreEvent[]> {
  const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
  const mark = await markStore(etcdEndpoint, randomBytes(8).toString("hex"), signal);
  const events: StoreEvent[] = [];
  for await (const { key, event } of watchStore(etcdEndpoint, fromRevision, signal)) {
    if (key === mark) return events;
    if (event !== null) events.push(event);
  }
  throw new Error("etcd ended the watch before the history was read");
}

/** Puts a key that no coordinator reads, which a watcher receives like any other. */
export async function markStore(etcdEndpoint: string, name: string, signal: AbortSignal): Promise<string> {
  const mark = `${MARK_PREFIX}${name}`;
  await post(etcdEndpoint, "/v3/kv/put", { key: base64(mark), value: base64("mark") }, signal);
  return mark;
}

interface KeyChange {
  readonly key: string;
  readonly revision: number;
  /** Null where it is no task's record. */
  readonly event: StoreEvent | null;
}

/** Every change of a key from that revision on, until the signal or the end of the connection. */
export async function* watchStore(
  etcdEndpoint: string,
  fromRevision: number,
  signal: AbortSignal,
): AsyncGenerator<KeyChange> {
  for await (const { result } of watch(etcdEndpoint, fromRevision, signal)) {
    if (result?.canceled) throw new CompactedError(`the history was compacted at ${result.compact_revision}`);
    for (const { type, kv } of result?.events ?? []) {
      const key = text(kv.key);
      const event = key.startsWith(TASKS) ? storeEvent(key, type, kv) : null;
      yield { key, revision: Number(kv.mod_revision), event };
    }
  }
}

function storeEvent(key: string, type: "DELETE" | undefined, kv: KeyValue): StoreEvent {
  const task = type === "DELETE" ? null : decode(text(kv.value ?? ""));
  return { taskId: key.slice(TASKS.length), revision: Number(kv.mod_revision), task };
}

async function* watch(etcdEndpoint: string, fromRevision: number, signal: AbortSignal): AsyncGenerator<WatchMessage> {
  const request = {
    key: base64(WATCHED.key),
    range_end: base64(WATCHED.rangeEnd),
    start_revision: String(fromRevision),
  };
  const response = await post(etcdEndpoint, "/v3/watch", { create_request: request }, signal);
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as WatchMessage;
  }
}

function post(etcdEndpoint: string, path: string, body: object, signal: AbortSignal): Promise<Response> {
  return fetch(`${etcdEndpoint}${path}`, { method: "POST", body: JSON.stringify(body), signal });
}

/** A record is stored with the op id of its commit around it. */
function decode(stored: string): Task {
  return (JSON.parse(stored) as { readonly value: Task }).value;
}

function base64(plain: string): string {
  return Buffer.from(plain).toString("base64");
}

function text(encoded: string): string {
  return Buffer.from(encoded, "base64").toString("utf8");
}
