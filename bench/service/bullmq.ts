import { startLoadProcess } from "../measure/load-process.ts";
import type { BullmqSettings } from "../peers/bullmq/settings.ts";
import { type Contender, INPUT, WORKERS_AT_A_TIME } from "./contender.ts";
import { peerScript } from "./peers-installed.ts";
import type { Server } from "./servers/server.ts";

/** BullMQ over a Redis that answers a write only when it is on disk. */
export async function startBullmq(
  redis: Server,
  toldBy: BullmqSettings["toldBy"],
  version: string,
): Promise<Contender> {
  const { port } = redis;
  const settings: BullmqSettings = { port, queue: toldBy, toldBy, concurrency: WORKERS_AT_A_TIME, input: INPUT };
  const load = await startLoadProcess(peerScript("bullmq", "producer.ts"), settings);
  return {
    name: toldBy === "events" ? "bullmq" : "bullmq, told by its worker",
    version,
    measure: load.run,
    stop: load.stop,
  };
}
