import { startLoadProcess } from "../measure/load-process.ts";
import type { GraphileSettings } from "../peers/graphile-worker/settings.ts";
import { type Contender, INPUT, WORKERS_AT_A_TIME } from "./contender.ts";
import { peerScript } from "./peers-installed.ts";
import { DATABASE, USER } from "./servers/postgres.ts";
import type { Server } from "./servers/server.ts";

/** graphile-worker over PostgreSQL, with its local queue. */
export async function startGraphileWorker(postgres: Server, version: string): Promise<Contender> {
  const settings: GraphileSettings = {
    connectionString: `postgres://${USER}@127.0.0.1:${postgres.port}/${DATABASE}`,
    concurrency: WORKERS_AT_A_TIME,
    input: INPUT,
  };
  const load = await startLoadProcess(peerScript("graphile-worker", "producer.ts"), settings);
  return { name: "graphile-worker", version, measure: load.run, stop: load.stop };
}
