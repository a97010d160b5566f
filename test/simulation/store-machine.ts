/** The machine of the store: the in-memory twin of etcd, and everything that was ever written in it. */
import { decodeRecord } from "@elastic/coordinator/store/codec.ts";
import { LEADER_KEY, parseRecordKey, type WatchedKind } from "@elastic/coordinator/store/keys.ts";
import type { KvEvent, Txn, TxnOutcome } from "@elastic/coordinator/store/kv.ts";
import { Memory } from "@elastic/coordinator/store/memory/memory.ts";
import { Process, type World } from "./world.ts";

/** As etcd looks for leases that have ended. */
const LOOK_FOR_ENDED_LEASES_MS = 500;

/** One write of a record that coordinators watch. */
export interface RecordWrite {
  readonly atMs: number;
  readonly revision: number;
  readonly kind: WatchedKind;
  readonly id: string;
  /** Null where it was removed. */
  readonly value: object | null;
  /** The process that wrote it; null for the end of a lease. */
  readonly by: Process | null;
  /** The revision of the leader's key that the write was compared with; null for none. */
  readonly epoch: number | null;
  /** The process that held the leader's key then. */
  readonly leader: string | null;
}

export class StoreMachine {
  readonly memory: Memory;
  readonly process: Process;
  readonly writes: RecordWrite[] = [];
  /** A commit of this process was applied, and its response is on the way. */
  onApplied: (by: Process) => void = () => undefined;
  onWrite: (write: RecordWrite) => void = () => undefined;
  #applying: { readonly by: Process; readonly txn: Txn } | null = null;
  #leader: string | null = null;

  constructor(world: World) {
    this.process = new Process(world, { host: "store", name: "store" });
    this.memory = new Memory(this.process.clock);
    this.memory.onEvents((events) => {
      for (const event of events) this.#note(event);
    });
    this.#lookForEndedLeases();
  }

  apply(by: Process, txn: Txn): TxnOutcome {
    this.memory.expireLeases();
    this.#applying = { by, txn };
    try {
      const outcome = this.memory.apply(txn);
      if (txn.compares.length > 0) this.onApplied(by);
      return outcome;
    } finally {
      this.#applying = null;
    }
  }

  /** Who leads by the store; null while nobody does. */
  leader(): string | null {
    return this.#leader;
  }

  #lookForEndedLeases(): void {
    this.process.world.in(this.process, LOOK_FOR_ENDED_LEASES_MS, "leases", () => {
      this.memory.expireLeases();
      this.#lookForEndedLeases();
    });
  }

  #note(event: KvEvent): void {
    const key = event.kind === "put" ? event.entry.key : event.key;
    if (key === LEADER_KEY) {
      const said =
        event.kind === "put" ? (JSON.parse(event.entry.value.toString()) as { coordinatorId: string }) : null;
      this.#leader = said?.coordinatorId ?? null;
    }
    const revision = event.kind === "put" ? event.entry.revision : event.revision;
    this.process.world.trace.add(revision, key);
    const record = parseRecordKey(key);
    if (record === null) return;
    const compared = this.#applying?.txn.compares.find((compare) => compare.key === LEADER_KEY);
    const write: RecordWrite = {
      atMs: this.process.world.nowMs,
      revision,
      kind: record.kind,
      id: record.id,
      value: event.kind === "put" ? decodeRecord(event.entry.value).value : null,
      by: this.#applying?.by ?? null,
      epoch: compared?.revision ?? null,
      leader: this.#leader,
    };
    this.writes.push(write);
    this.onWrite(write);
  }
}
