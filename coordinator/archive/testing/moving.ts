/** A store, an archive and a mover between them, each step of which a test sees, or makes the last. */
import type { Clock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { isTerminal, type Task } from "../../domain/task.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { create, inputBytes, resultBytes } from "../../store/change.ts";
import { Memory } from "../../store/memory/memory.ts";
import { memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store } from "../../store/store.ts";
import type { Archive } from "../archive.ts";
import type { LiveLimits } from "../choose-due.ts";
import { Mover } from "../mover.ts";
import { openSqlArchive } from "../sql/sql-archive.ts";
import { openSqlite } from "../sql/sqlite.ts";
import { archived } from "./ended-tasks.ts";

const log = createLog({ name: "test", level: "silent" });

export interface Moving extends AsyncDisposable {
  readonly archive: Archive;
  readonly clock: Clock & { nowMs: number };
  /** A coordinator's store over the same records. */
  openStore(): Promise<Store>;
  /** A mover of that coordinator. `step` is called before and after each of its calls; what it throws, the call does. */
  mover(store: Store, limits: LiveLimits, step?: () => Promise<void>, arrivingMax?: number): Mover;
}

export async function startMoving(now: number): Promise<Moving> {
  const memory = new Memory();
  const clock = { nowMs: now, now: () => clock.nowMs, monotonicMs: () => clock.nowMs };
  const archive = await openSqlArchive(await openSqlite({ file: ":memory:" }), "archive");
  const stores = new AsyncDisposableStack();
  return {
    archive,
    clock,
    async openStore() {
      const kv = memoryKv(memory);
      const store = await openStore({ kv, clock, log });
      stores.defer(async () => {
        await store.close();
        await kv.close();
      });
      return store;
    },
    mover(store, limits, step = async () => undefined, arrivingMax = 1_000) {
      const kv = memoryKv(memory);
      stores.defer(() => kv.close());
      let last: Promise<void> = Promise.resolve();
      // Of calls that are made together one is looked at after the other.
      const inTurn = (): Promise<void> => {
        const turn = last.then(step);
        last = turn.catch(() => undefined);
        return turn;
      };
      const seen = <A extends readonly unknown[], R>(call: (...args: A) => Promise<R>) => {
        return async (...args: A): Promise<R> => {
          await inTurn();
          const answer = await call(...args);
          await inTurn();
          return answer;
        };
      };
      return new Mover({
        kv: { read: seen((keys, at) => kv.read(keys, at)) },
        store: { view: store.view, commit: seen((changes, guard) => store.commit(changes, guard)) },
        archive: {
          put: seen((tasks) => archive.put(tasks)),
          arriving: seen((limit) => archive.arriving(limit)),
          settle: seen((ids) => archive.settle(ids)),
        },
        limits,
        clock,
        log,
        metrics: createMetrics().archive,
        arrivingMax,
      });
    },
    async [Symbol.asyncDispose]() {
      await stores.disposeAsync();
      await archive.close();
    },
  };
}

/** As if it had come that far on its own. */
export async function addTask(store: Store, task: Task): Promise<void> {
  const { input, result } = isTerminal(task.phase) ? archived(task) : { input: Buffer.from("in"), result: null };
  await store.commit([
    create("tasks", task),
    ...(input === null ? [] : [inputBytes(task.id, input)]),
    ...(result === null ? [] : [resultBytes(task.id, result)]),
  ]);
}
