/** Temporal, durable: one workflow of one activity, its worker and client in TypeScript, each in a separate process. */
import { startForked } from "../measure/forked.ts";
import { startLoadProcess } from "../measure/load-process.ts";
import type { TemporalSettings } from "../peers/temporal/settings.ts";
import { type Contender, INPUT } from "./contender.ts";
import { fastest } from "./fastest.ts";
import { peerScript } from "./peers-installed.ts";
import type { ServerPlace } from "./servers/server.ts";
import { startTemporal, type TemporalServer, type TemporalStore } from "./servers/temporal.ts";
import { SHARDS } from "./servers/temporal-config.ts";

type Tried = Pick<TemporalSettings, "concurrency" | "pollers" | "cachedWorkflows">;

const STORES: readonly TemporalStore[] = ["PostgreSQL", "SQLite"];
const TRIED: readonly Tried[] = [
  { concurrency: 4, pollers: 2, cachedWorkflows: 1000 },
  { concurrency: 16, pollers: 5, cachedWorkflows: 1000 },
  { concurrency: 64, pollers: 16, cachedWorkflows: 1000 },
  { concurrency: 16, pollers: 5, cachedWorkflows: 0 },
];

/** The fastest of its stores and settings. */
export async function startFastestTemporal(
  place: ServerPlace,
  sdkVersion: string,
  log: (text: string) => void,
): Promise<Contender> {
  const contender = await fastest(
    STORES.map((store) => () => fastestOver(place, store, log)),
    log,
  );
  return { ...contender, version: `${contender.version}, TypeScript SDK ${sdkVersion}` };
}

/** The server ends with the contender. */
async function fastestOver(place: ServerPlace, store: TemporalStore, log: (text: string) => void): Promise<Contender> {
  const server = await startTemporal(place, store);
  const contender = await fastest(
    TRIED.map((tried, index) => () => startOver(server, store, tried, `tasks-${index}`)),
    log,
  );
  return {
    ...contender,
    async stop() {
      await contender.stop();
      await server.stop();
    },
  };
}

async function startOver(
  server: TemporalServer,
  store: TemporalStore,
  tried: Tried,
  taskQueue: string,
): Promise<Contender> {
  const at = { address: `127.0.0.1:${server.port}`, namespace: "default", taskQueue };
  const settings: TemporalSettings = { ...at, ...tried, input: INPUT };
  const worker = await startForked(peerScript("temporal", "worker.ts"), settings);
  const load = await startLoadProcess(peerScript("temporal", "producer.ts"), settings);
  return {
    name: "temporal",
    version: server.version,
    settings: `${store}, ${SHARDS} history shards, ${textOf(tried)}`,
    client: load.pid,
    processes: { ...server.processes, worker: worker.pid },
    measure: load.run,
    async stop() {
      await load.stop();
      await worker.stop();
    },
  };
}

function textOf({ concurrency, pollers, cachedWorkflows }: Tried): string {
  return `${concurrency} tasks at a time, ${pollers} pollers of each kind, ${cachedWorkflows} workflows cached`;
}
