/** The two things a Kv stands on, and how each is made to fail. The contract suites run on both. */
import { createLog } from "@elastic/std/log.ts";
import { type Etcd, startEtcd } from "@elastic/test/cluster/etcd.ts";
import { type FaultProxy, startFaultProxy } from "@elastic/test/cluster/fault-proxy.ts";
import { connectEtcd } from "../etcd/etcd-kv.ts";
import type { Kv } from "../kv.ts";
import { Memory } from "../memory/memory.ts";
import { memoryKv } from "../memory/memory-kv.ts";

/** One coordinator's way to the store. */
export interface Connection {
  readonly kv: Kv;
  /** The next transaction is applied and its response lost. */
  loseAnswer(): void;
  /** Ends what loseAnswer began. */
  heal(): void;
  breakWatches(): void;
}

export interface Backend extends AsyncDisposable {
  connect(): Promise<Connection>;
  compact(revision: number): Promise<void>;
  /** Whether it has no room for writes. */
  setFull(isFull: boolean): Promise<void>;
  /** As by kill -9; nothing responds until restart(). */
  crash(): Promise<void>;
  /** Resolves once it serves again. */
  restart(): Promise<void>;
}

export const BACKENDS: readonly (readonly [name: string, open: () => Promise<Backend>])[] = [
  ["memory", async () => new MemoryBackend()],
  ["etcd", async () => new EtcdBackend(await startEtcd())],
];

class MemoryBackend implements Backend {
  readonly #memory = new Memory();
  readonly #connections: ReturnType<typeof memoryKv>[] = [];

  async connect(): Promise<Connection> {
    const kv = memoryKv(this.#memory);
    this.#connections.push(kv);
    return {
      kv,
      loseAnswer: () => void kv.faults.lostAnswers.push("lost after it was applied"),
      heal: () => {},
      breakWatches: () => kv.faults.breakWatches(),
    };
  }

  async compact(revision: number): Promise<void> {
    this.#memory.compact(revision);
  }

  async setFull(isFull: boolean): Promise<void> {
    for (const kv of this.#connections) kv.faults.full = isFull;
  }

  async crash(): Promise<void> {
    for (const kv of this.#connections) kv.faults.away = true;
    for (const kv of this.#connections) kv.faults.breakWatches();
  }

  async restart(): Promise<void> {
    for (const kv of this.#connections) kv.faults.away = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const kv of this.#connections) await kv.close();
  }
}

class EtcdBackend implements Backend {
  readonly #etcd: Etcd;
  readonly #log = createLog({ name: "test", level: "silent" });
  readonly #open: { readonly kv: Kv; readonly proxy: FaultProxy }[] = [];

  constructor(etcd: Etcd) {
    this.#etcd = etcd;
  }

  async connect(): Promise<Connection> {
    const proxy = await startFaultProxy(new URL(this.#etcd.endpoint).host);
    const kv = connectEtcd({ endpoints: [`http://${proxy.address}`], log: this.#log });
    this.#open.push({ kv, proxy });
    const heal = () => {
      proxy.set("pass");
      proxy.reset();
    };
    return { kv, loseAnswer: () => proxy.set("drop-responses"), heal, breakWatches: () => proxy.reset() };
  }

  async compact(revision: number): Promise<void> {
    const body = JSON.stringify({ revision });
    const answer = await fetch(`${this.#etcd.endpoint}/v3/kv/compaction`, { method: "POST", body });
    if (!answer.ok) throw new Error(`etcd did not compact: ${await answer.text()}`);
  }

  /** By the alarm that etcd raises itself when its quota is used up. */
  async setFull(isFull: boolean): Promise<void> {
    const { header } = await this.#maintain("status", {});
    const action = isFull ? "ACTIVATE" : "DEACTIVATE";
    await this.#maintain("alarm", { action, memberID: header.member_id, alarm: "NOSPACE" });
  }

  async #maintain(what: string, body: object): Promise<{ readonly header: { readonly member_id: string } }> {
    const url = `${this.#etcd.endpoint}/v3/maintenance/${what}`;
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as { readonly header: { readonly member_id: string } };
  }

  async crash(): Promise<void> {
    await this.#etcd.kill();
  }

  async restart(): Promise<void> {
    await this.#etcd.start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { kv, proxy } of this.#open) {
      await kv.close();
      await proxy[Symbol.asyncDispose]();
    }
    await this.#etcd[Symbol.asyncDispose]();
  }
}
