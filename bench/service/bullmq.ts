import { startLoadProcess } from "../measure/load-process.ts";
import type { BullmqSettings } from "../peers/bullmq/settings.ts";
import { type Contender, INPUT } from "./contender.ts";
import { peerScript } from "./peers-installed.ts";
import type { Server } from "./servers/server.ts";

export interface BullmqOptions {
  readonly redis: Server;
  readonly version: string;
  readonly workers: number;
  readonly reportedBy: BullmqSettings["reportedBy"];
}

/** BullMQ over a Redis that acknowledges a write only when it is on disk. */
export async function startBullmq({ redis, version, workers, reportedBy }: BullmqOptions): Promise<Contender> {
  const queue = `${reportedBy}-${workers}`;
  const settings: BullmqSettings = { port: redis.port, queue, reportedBy, concurrency: workers, input: INPUT };
  const load = await startLoadProcess(peerScript("bullmq", "producer.ts"), settings);
  return {
    name: reportedBy === "events" ? "bullmq" : "bullmq, reported by its worker",
    version,
    settings: `${workers} tasks at a time`,
    client: load.pid,
    processes: { redis: redis.pid },
    measure: load.run,
    stop: load.stop,
  };
}
