/** Makes the Store of store.ts over any Kv. */
import { randomBytes } from "node:crypto";
import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Task } from "../../domain/task.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { opOf, readRecord } from "../codec.ts";
import { readOrCreateMeta, type StoreMeta } from "../identity/meta.ts";
import { bytesKey, isWatched, type RecordKind, recordKey } from "../keys.ts";
import type { Kv } from "../kv.ts";
import { refuseRestoring } from "../refuse-restoring.ts";
import type { Change, CommitOutcome, LeaderGuard, RecordChange, RecordTypes, Store, View } from "../store.ts";
import { startFeed } from "../view/feed.ts";
import { MemoryView } from "../view/view.ts";
import { BytesCache } from "./bytes-cache.ts";
import { GroupCommit } from "./group-commit.ts";
import { type PreparedCommit, prepareCommit } from "./prepared-commit.ts";

const MIB = 1024 * 1024;
/** Of 5,700 tasks that wait, with inputs of 4 KiB; inputs of more are read when these start. */
const AWAITED_BYTES_MAX = 24 * MIB;
const RECENT_BYTES_MAX = 16 * MIB;

export interface StoreOptions {
  readonly kv: Kv;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of inputs of tasks that wait, in memory; default 24 MiB. */
  readonly awaitedBytesMax?: number;
}

/** Resolves once the view is complete. The Kv stays the caller's to close. */
export async function openStore(options: StoreOptions): Promise<Store> {
  await refuseRestoring(options.kv);
  const meta = await readOrCreateMeta(options.kv, options.clock);
  const store = new KvStore(options, meta);
  await store.start();
  return store;
}

class KvStore implements Store {
  readonly epoch: number;
  readonly blobStoreId: string;
  readonly #options: StoreOptions;
  readonly #view: MemoryView;
  readonly #groupCommit: GroupCommit;
  readonly #bytes: BytesCache;
  /** Commits under way that write bytes, by the bytes' key. */
  readonly #bytesUnderWay = new Map<string, Promise<unknown>>();
  /** Commits under way, by their op id. */
  readonly #underWay = new Map<string, PreparedCommit>();
  readonly #closing = new AbortController();
  /** Random for each opened store; with a count it makes the op id of a commit. */
  readonly #opPrefix = randomBytes(6).toString("base64url");
  #opCount = 0;

  constructor(options: StoreOptions, meta: StoreMeta) {
    this.epoch = meta.epoch;
    this.blobStoreId = meta.blobStoreId;
    this.#options = options;
    const { awaitedBytesMax = AWAITED_BYTES_MAX } = options;
    this.#bytes = new BytesCache({ awaitedBytesMax, recentBytesMax: RECENT_BYTES_MAX });
    this.#view = new MemoryView(options);
    this.#view.tasks.subscribe((change) => this.#onTask(change));
    this.#groupCommit = new GroupCommit({
      ...options,
      onCommitted: (commit, revision) => this.#show(commit, revision),
    });
  }

  get view(): View {
    return this.#view;
  }

  async start(): Promise<void> {
    const { kv, clock, log } = this.#options;
    await startFeed({
      kv,
      clock,
      log,
      view: this.#view,
      signal: this.#closing.signal,
      ownValue: (kind, id, bytes) => this.#ownValue(kind, id, bytes),
    });
  }

  async get<K extends RecordKind>(kind: K, id: string): Promise<Versioned<RecordTypes[K]> | null> {
    const { entries } = await this.#options.kv.read([recordKey(kind, id)]);
    const entry = entries[0];
    if (entry === null || entry === undefined) return null;
    return { value: readRecord(kind, id, entry.value) as RecordTypes[K], revision: entry.revision };
  }

  async bytes(of: "input" | "result", taskId: string): Promise<Buffer | null> {
    const key = bytesKey(of, taskId);
    // The feed may show a record before the response to its commit has come, which is on its way then.
    const known = this.#bytes.get(key) ?? (await this.#afterCommit(key));
    if (known !== undefined) return known;
    const { entries } = await this.#options.kv.read([key]);
    const data = entries[0]?.value ?? null;
    if (data !== null) this.#bytes.set(key, data);
    return data;
  }

  async commit(changes: readonly Change[], guard?: LeaderGuard): Promise<CommitOutcome> {
    const op = `${this.#opPrefix}.${(this.#opCount++).toString(36)}`;
    const prepared = prepareCommit(op, changes, guard);
    const committing = this.#groupCommit.commit(prepared);
    this.#underWay.set(op, prepared);
    const keys = changes.flatMap((change) => (change.kind === "bytes" ? [bytesKey(change.of, change.taskId)] : []));
    for (const key of keys) this.#bytesUnderWay.set(key, committing);
    try {
      return await committing;
    } finally {
      this.#underWay.delete(op);
      for (const key of keys) if (this.#bytesUnderWay.get(key) === committing) this.#bytesUnderWay.delete(key);
    }
  }

  /** The feed often brings a write before the response to its commit. */
  #ownValue(kind: RecordKind, id: string, bytes: Buffer): object | null {
    const op = opOf(bytes);
    const commit = op === null ? undefined : this.#underWay.get(op);
    for (const change of commit?.changes ?? []) {
      if (change.kind === "write" && change.record === kind && change.id === id) return change.value;
    }
    return null;
  }

  /** What a commit under way has written by its end. */
  async #afterCommit(key: string): Promise<Buffer | undefined> {
    await this.#bytesUnderWay.get(key)?.catch(() => undefined);
    return this.#bytes.get(key);
  }

  async close(): Promise<void> {
    this.#groupCommit.close();
    this.#closing.abort(new Error("the store is closed"));
  }

  /** Before those who observe the task: whoever starts it reads its input. */
  #onTask({ id, after }: RecordChange<Task>): void {
    if (after === undefined) for (const kind of ["input", "result"] as const) this.#bytes.delete(bytesKey(kind, id));
    else if (after.value.phase.kind !== "queued") this.#bytes.release(bytesKey("input", id));
  }

  #show(commit: PreparedCommit, revision: number): void {
    const waits = new Set(commit.changes.flatMap((change) => (isQueuedTask(change) ? [change.id] : [])));
    // First, since who observes a record may read the bytes next to it.
    for (const change of commit.changes) {
      if (change.kind === "bytes" && change.of === "input" && waits.has(change.taskId))
        this.#bytes.setAwaited(bytesKey(change.of, change.taskId), change.data);
      else if (change.kind === "bytes") this.#bytes.set(bytesKey(change.of, change.taskId), change.data);
      else if (change.kind === "remove-bytes") this.#bytes.delete(bytesKey(change.of, change.taskId));
    }
    for (const change of commit.changes) {
      if (!("record" in change) || !isWatched(change.record)) continue;
      if (change.kind === "write") this.#view.putOwn(change.record, change.id, change.value, revision);
      else if (change.kind === "remove") this.#view.removeOwn(change.record, change.id, revision);
    }
  }
}

function isQueuedTask(change: Change): change is Extract<Change, { readonly kind: "write" }> {
  return change.kind === "write" && change.record === "tasks" && (change.value as Task).phase.kind === "queued";
}
