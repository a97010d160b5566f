/** A Pod that runs, with the way to its prover. */
import { setTimeout as delay } from "node:timers/promises";
import { Pool } from "undici";
import { PROVER_PORT } from "../docker/container-env.ts";
import type { ContainerEnd } from "../docker/container-exit.ts";
import { checkHealth } from "../docker/health.ts";
import type { CalledContainer } from "../docker/running-container.ts";
import type { ClusterClient } from "./cluster-client.ts";
import { deletePod } from "./delete-pod.ts";
import type { PodKeeper } from "./pod-keeper.ts";
import { followPodLog, readPodLog } from "./pod-log.ts";
import { stateOf } from "./pod-state.ts";

export interface RunningPod extends CalledContainer {
  readonly name: string;
}

export interface PodPlace {
  readonly client: ClusterClient;
  readonly pods: PodKeeper;
  readonly name: string;
  readonly ip: string;
}

const LOG_TAIL_BYTES_MAX = 4 * 1024;
/** How long after a prover closed its connection the cluster may take to say that it ended. */
const ENDS_WITHIN_MS = 5_000;
const SERVER_BACK_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;
/** Who calls a prover whose node is gone waits for nothing. */
const CLOSE_AFTER_MS = 1_000;

const GONE = "the prover's Pod is gone";
const SILENT = "the prover closed its connection while the API server of the cluster did not respond";

export function openPod({ client, pods, name, ip }: PodPlace): RunningPod {
  let killed = false;
  let isOver = false;
  const ending = Promise.withResolvers<ContainerEnd>();
  const end = (how: ContainerEnd): void => {
    isOver = true;
    unfollow();
    ending.resolve({ ...how, byAgent: killed });
  };
  const unfollow = pods.follow(name, (pod) => {
    if (pod === null) return end(lostEnd(GONE));
    const state = stateOf(pod, Date.now());
    if (state.kind === "ended") end(state.end);
  });
  const written = followPodLog(client, name, () => !isOver);
  // A connection for each task: one that is reused may be closed by the prover just as the next task comes.
  const http = new Pool(`http://${hostOf(ip)}:${PROVER_PORT}`, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 10_000 },
  });
  const exited = ending.promise;
  void exited.then(async () => {
    await delay(CLOSE_AFTER_MS, undefined, { ref: false });
    await http.destroy().catch(() => undefined);
  });

  const kill = async (): Promise<void> => {
    killed = true;
    // What the cluster does not confirm is left to whoever looks for what is assigned no longer.
    const isGone = await deletePod(client, pods, name);
    if (!isGone) end(lostEnd("the API server of the cluster does not respond"));
  };

  return {
    name,
    http,
    exited,
    log: written.log,
    endIfDying: () => endIfDying({ exited, pods, http, end }),
    endRequested: () => false,
    // The cluster says so of the container's first process alone, as it ends.
    memoryKills: () => 0,
    logSince: (sinceMs) => readPodLog(client, name, sinceMs, LOG_TAIL_BYTES_MAX),
    kill,
    remove: async () => {
      await kill();
      written.stop();
      await http.destroy().catch(() => undefined);
    },
  };
}

interface Dying {
  readonly exited: Promise<ContainerEnd>;
  readonly pods: PodKeeper;
  readonly http: Pool;
  readonly end: (how: ContainerEnd) => void;
}

async function endIfDying({ exited, pods, http, end }: Dying): Promise<ContainerEnd | null> {
  const health = await checkHealth(http, new AbortController().signal);
  if (health.kind === "ready") return null;
  const began = performance.now();
  for (let respondedAt: number | null = null; ; ) {
    if (await pods.look()) respondedAt ??= performance.now();
    const over = await Promise.race([exited, delay(LOOK_EVERY_MS, null)]);
    if (over !== null) return over;
    if (respondedAt !== null && performance.now() - respondedAt > ENDS_WITHIN_MS) return null;
    if (respondedAt === null && performance.now() - began > SERVER_BACK_WITHIN_MS) end(lostEnd(SILENT));
  }
}

function lostEnd(lostBy: string): ContainerEnd {
  const nothing = { exitCode: null, signal: null, outOfMemory: false, byAgent: false };
  return { ...nothing, engineWentAway: false, endRequested: false, lostBy };
}

function hostOf(ip: string): string {
  return ip.includes(":") ? `[${ip}]` : ip;
}
