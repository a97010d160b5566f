import { startLoadProcess } from "../measure/load-process.ts";
import type { GraphileSettings } from "../peers/graphile-worker/settings.ts";
import { type Contender, INPUT } from "./contender.ts";
import { peerScript } from "./peers-installed.ts";
import { DATABASE, USER } from "./servers/postgres.ts";
import type { Server } from "./servers/server.ts";

export interface GraphileOptions {
  readonly postgres: Server;
  readonly version: string;
  readonly workers: number;
}

/** graphile-worker over PostgreSQL, with its local queue. */
export async function startGraphileWorker({ postgres, version, workers }: GraphileOptions): Promise<Contender> {
  const settings: GraphileSettings = {
    connectionString: `postgres://${USER}@127.0.0.1:${postgres.port}/${DATABASE}`,
    task: `noop-${workers}`,
    concurrency: workers,
    input: INPUT,
  };
  const load = await startLoadProcess(peerScript("graphile-worker", "producer.ts"), settings);
  return {
    name: "graphile-worker",
    version,
    settings: `${workers} tasks at a time`,
    client: load.pid,
    processes: { postgres: postgres.pid },
    measure: load.run,
    stop: load.stop,
  };
}
