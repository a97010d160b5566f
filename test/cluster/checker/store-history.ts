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
}

/** Holds the coordinators' keys and the mark at the end of the history, which no coordinator reads. */
const WATCHED = { key: "/elastic", rangeEnd: "/elastid" };
const MARK_PREFIX = "/elastic-checker/";
const READ_TIMEOUT_MS = 60_000;

interface WatchMessage {
  readonly result?: {
    readonly canceled?: boolean;
    readonly compact_revision?: string;
    readonly events?: readonly {
      readonly type?: "DELETE";
      readonly kv: { readonly key: string; readonly value?: string; readonly mod_revision: string };
    }[];
  };
}

/** Reads the history up to now. Rejects when its beginning has been compacted away. */
export async function readStoreHistory(etcdEndpoint: string): Promise<readonly StoreEvent[]> {
  const mark = `${MARK_PREFIX}${randomBytes(8).toString("hex")}`;
  await post(etcdEndpoint, "/v3/kv/put", { key: base64(mark), value: base64("end") });
  const events: StoreEvent[] = [];
  for await (const response of watchFromTheStart(etcdEndpoint)) {
    if (response.result?.canceled) throw new Error(`the history was compacted at ${response.result.compact_revision}`);
    for (const { type, kv } of response.result?.events ?? []) {
      const key = text(kv.key);
      if (key === mark) return events;
      if (!key.startsWith(recordPrefix("tasks"))) continue;
      const task = type === "DELETE" ? null : decode(text(kv.value ?? ""));
      events.push({ taskId: key.slice(recordPrefix("tasks").length), revision: Number(kv.mod_revision), task });
    }
  }
  throw new Error("etcd ended the watch before the history was read");
}

async function* watchFromTheStart(etcdEndpoint: string): AsyncGenerator<WatchMessage> {
  const response = await post(etcdEndpoint, "/v3/watch", {
    create_request: { key: base64(WATCHED.key), range_end: base64(WATCHED.rangeEnd), start_revision: "1" },
  });
  let rest = "";
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const lines = (rest + Buffer.from(chunk).toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line) as WatchMessage;
  }
}

function post(etcdEndpoint: string, path: string, body: object): Promise<Response> {
  return fetch(`${etcdEndpoint}${path}`, {
    method: "POST",
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(READ_TIMEOUT_MS),
  });
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
