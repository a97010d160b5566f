import { startLoadProcess } from "../measure/load-process.ts";
import type { BullmqSettings } from "../peers/bullmq/settings.ts";
import { type Contender, INPUT } from "./contender.ts";
import { peerScript } from "./peers-installed.ts";
import type { Server } from "./servers/server.ts";

export interface BullmqOptions {
  readonly redis: Server;
  readonly version: string;
  readonly workers: number;
  readonly toldBy: BullmqSettings["toldBy"];
}

/** BullMQ over a Redis that answers a write only when it is on disk. */
export async function startBullmq({ redis, version, workers, toldBy }: BullmqOptions): Promise<Contender> {
  const queue = `${toldBy}-${workers}`;
  const settings: BullmqSettings = { port: redis.port, queue, toldBy, concurrency: workers, input: INPUT };
  const load = await startLoadProcess(peerScript("bullmq", "producer.ts"), settings);
  const name = toldBy === "events" ? "bullmq" : "bullmq, told by its worker";
  return { name, version, workers, measure: load.run, stop: load.stop };
}
