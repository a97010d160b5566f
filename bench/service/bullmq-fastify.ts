/** What users build themselves: BullMQ behind an HTTP interface of fastify, with its worker in a separate process. */
import { join } from "node:path";
import { startForked } from "../measure/forked.ts";
import { startLoadProcess } from "../measure/load-process.ts";
import type { BullmqFastifySettings } from "../peers/bullmq-fastify/settings.ts";
import { type Contender, INPUT } from "./contender.ts";
import { peerScript } from "./peers-installed.ts";
import type { PostTaskSettings } from "./post-task.ts";
import type { Server } from "./servers/server.ts";

export interface BullmqFastifyOptions {
  readonly redis: Server;
  readonly version: string;
  readonly workers: number;
  readonly connections: number;
}

/** Connections of the server to Redis that are tried, for adding jobs. */
export const CONNECTIONS_TRIED: readonly number[] = [1, 2];

const KEY = "eps_bench_0123456789abcdef0123456789abcdef";

/** Over the Redis of BullMQ alone. */
export async function startBullmqFastify(options: BullmqFastifyOptions): Promise<Contender> {
  const { redis, version, workers, connections } = options;
  const settings: BullmqFastifySettings = {
    redisPort: redis.port,
    queue: `fastify-${workers}-${connections}`,
    concurrency: workers,
    connections,
    key: KEY,
  };
  const worker = await startForked(peerScript("bullmq-fastify", "worker.ts"), settings);
  const server = await startForked<{ readonly port: number }>(peerScript("bullmq-fastify", "server.ts"), settings);
  const target: PostTaskSettings = { url: `http://127.0.0.1:${server.ready.port}`, key: KEY, input: INPUT };
  const load = await startLoadProcess(join(import.meta.dirname, "bullmq-fastify-load.ts"), target);
  return {
    name: "bullmq behind fastify",
    version,
    settings: `${workers} tasks at a time, jobs added over ${connections} connection${connections === 1 ? "" : "s"}`,
    client: load.pid,
    processes: { redis: redis.pid, server: server.pid, worker: worker.pid },
    measure: load.run,
    async stop() {
      for (const part of [load, server, worker]) await part.stop();
    },
  };
}
