/**
 * The load process of the yardstick: transactions of the size of our records, straight to etcd, from the client
 * that the coordinator uses. `one-task` is one compare and three puts; `ten-tasks` one compare and thirty.
 */
import { Etcd3, type IOptions } from "etcd3";
import type { Finished } from "../measure/load.ts";
import { serveOrders } from "../measure/serve-orders.ts";
import { readSettings } from "../measure/settings.ts";

export interface RawEtcdSettings {
  readonly port: number;
  /** Bytes of the three values of a task. */
  readonly valueBytes: readonly [number, number, number];
}

const settings = readSettings<RawEtcdSettings>();
const options: IOptions = { hosts: `http://127.0.0.1:${settings.port}` };
const client = new Etcd3(options);
const values = settings.valueBytes.map((bytes) => Buffer.alloc(bytes, "x"));
let next = 0;

async function transaction(tasks: number): Promise<Finished> {
  next += 1;
  const key = `/bench/${process.pid}-${next}`;
  const puts = Array.from({ length: tasks }, (_, task) =>
    values.map((value, index) => client.put(`${key}/${task}/${index}`).value(value)),
  );
  const { succeeded } = await client
    .if(`${key}/0/0`, "Create", "==", 0)
    .then(...puts.flat())
    .commit();
  if (!succeeded) throw new Error("a key that nobody wrote exists");
  return { startedUs: null, tasks };
}

serveOrders({ "one-task": () => transaction(1), "ten-tasks": () => transaction(10) });
