/**
 * The load process of the yardstick: transactions of the size of our records, straight to etcd, from the client
 * that the coordinator has. `one-task` is one compare and three puts; `ten-tasks` one compare and thirty.
 */
import { connectEtcd } from "@elastic/coordinator/store/etcd/etcd-kv.ts";
import { createLog } from "@elastic/std/log.ts";
import type { Finished } from "../measure/load.ts";
import { serveOrders } from "../measure/serve-orders.ts";
import { readSettings } from "../measure/settings.ts";

export interface RawEtcdSettings {
  readonly port: number;
  /** Bytes of the three values of a task. */
  readonly valueBytes: readonly [number, number, number];
}

const settings = readSettings<RawEtcdSettings>();
const log = createLog({ name: "raw-etcd", level: "warn" });
const kv = connectEtcd({ endpoints: [`http://127.0.0.1:${settings.port}`], log });
const values = settings.valueBytes.map((bytes) => Buffer.alloc(bytes, "x"));
let next = 0;

async function transaction(tasks: number): Promise<Finished> {
  next += 1;
  const of = `/bench/${process.pid}-${next}`;
  const puts = Array.from({ length: tasks }, (_, task) =>
    values.map((value, index) => ({ key: `${of}/${task}/${index}`, value })),
  );
  const { applied } = await kv.txn({ compares: [{ key: `${of}/0/0`, revision: 0 }], puts: puts.flat(), deletes: [] });
  if (!applied) throw new Error("a key that nobody wrote exists");
  return { startedUs: null, tasks };
}

serveOrders({ "one-task": () => transaction(1), "ten-tasks": () => transaction(10) });
