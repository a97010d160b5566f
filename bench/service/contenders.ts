/** All that take part in the benchmark of the service, each peer as it is fastest here. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { programPath } from "@elastic/test/cluster/machine.ts";
import { startBullmq } from "./bullmq.ts";
import { CONNECTIONS_TRIED, startBullmqFastify } from "./bullmq-fastify.ts";
import type { Contender } from "./contender.ts";
import { type Elastic, startElastic } from "./elastic.ts";
import { fastest, WORKERS_TRIED } from "./fastest.ts";
import { startGraphileWorker } from "./graphile-worker.ts";
import { installPeers } from "./peers-installed.ts";
import { startRawEtcd } from "./raw-etcd.ts";
import { startPostgres } from "./servers/postgres.ts";
import { startRedis } from "./servers/redis.ts";
import type { Server } from "./servers/server.ts";
import { startFastestTemporal } from "./temporal.ts";

export interface Contenders {
  readonly elastic: Elastic;
  /** By the names that rows have. */
  readonly peers: readonly Contender[];
  readonly bullmqByWorker: Contender;
  readonly etcd: Contender;
  readonly servers: Readonly<Record<string, Server>>;
}

/** Each is put on `running`, to be stopped in reverse. */
export async function startContenders(running: AsyncDisposableStack, log: (text: string) => void): Promise<Contenders> {
  const folder = mkdtempSync(join(tmpdir(), "elastic-bench-"));
  running.defer(() => rmSync(folder, { recursive: true, force: true }));
  const keep = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const part = await starting;
    running.defer(() => part.stop());
    return part;
  };
  const versions = installPeers();
  const version = (name: string): string => versions[name] ?? "unknown";
  const place = { folder, path: programPath() };
  log("Starting etcd, coordinator, agent, Redis and PostgreSQL");
  const elastic = await keep(startElastic());
  const redis = await keep(startRedis(place));
  const postgres = await keep(startPostgres(place));
  const keepFastest = (candidates: readonly (() => Promise<Contender>)[]): Promise<Contender> =>
    keep(fastest(candidates, log));
  log("Looking for the settings with which each peer is fastest");
  const bullmqOf = (reportedBy: "events" | "worker") =>
    WORKERS_TRIED.map((workers) => () => startBullmq({ redis, version: version("bullmq"), workers, reportedBy }));
  const bullmq = await keepFastest(bullmqOf("events"));
  const bullmqByWorker = await keepFastest(bullmqOf("worker"));
  const ofGraphile = { postgres, version: version("graphile-worker") };
  const graphile = await keepFastest(
    WORKERS_TRIED.map((workers) => () => startGraphileWorker({ ...ofGraphile, workers })),
  );
  const ofFastify = { redis, version: `${version("bullmq")}, fastify ${version("fastify")}` };
  const fastify = await keepFastest(
    WORKERS_TRIED.flatMap((workers) =>
      CONNECTIONS_TRIED.map((connections) => () => startBullmqFastify({ ...ofFastify, workers, connections })),
    ),
  );
  const temporal = await keep(startFastestTemporal(place, version("@temporalio/worker"), log));
  const etcd = await keep(startRawEtcd(place, await elastic.valueBytes()));
  return { elastic, peers: [bullmq, graphile, fastify, temporal], bullmqByWorker, etcd, servers: { redis, postgres } };
}
