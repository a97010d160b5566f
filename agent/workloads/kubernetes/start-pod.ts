/** From a manifest to a prover that takes calls, or why there is none. */
import { setTimeout as delay } from "node:timers/promises";
import type { Prover } from "../../domain/driver.ts";
import { outOfMemoryText } from "../../domain/out-of-memory-text.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import type { CheckingSigns, ReportProgress } from "../../domain/start-progress.ts";
import type { ContainerEnd } from "../docker/container-exit.ts";
import { dockerProver } from "../docker/docker-prover.ts";
import { checkHealth } from "../docker/health.ts";
import { type ClusterClient, isServerAway } from "./cluster-client.ts";
import { deletePod } from "./delete-pod.ts";
import { requirePolicy } from "./network-policy.ts";
import type { PodKeeper } from "./pod-keeper.ts";
import { readPodLog } from "./pod-log.ts";
import type { PodPlan } from "./pod-manifest.ts";
import { type PodState, stateOf } from "./pod-state.ts";
import { openPod, type RunningPod } from "./running-pod.ts";

export interface Starting {
  readonly client: ClusterClient;
  readonly pods: PodKeeper;
  readonly memoryBytes: number;
  readonly report: ReportProgress;
  readonly signal: AbortSignal;
}

const AGAIN_AFTER_MS = 500;
const LOOK_EVERY_MS = 250;
const HEALTH_FIRST_DELAY_MS = 10;
const HEALTH_DELAY_MS_MAX = 1_000;
const HEALTH_DELAY_GROWTH = 1.5;
const SIGNS_EVERY_MS = 2_000;
const LOG_TAIL_BYTES_MAX = 4 * 1024;
const NOTHING = { doneBytes: 0, totalBytes: 0 };

export async function startPod(plan: PodPlan, starting: Starting): Promise<Prover> {
  const { client, pods } = starting;
  starting.report({ step: "pulling", ...NOTHING });
  await create(plan, starting);
  try {
    const ip = await untilRunning(plan.name, starting);
    starting.report({ step: "checking", ...NOTHING });
    const running = openPod({ client, pods, name: plan.name, ip });
    try {
      await untilReady(running, starting);
    } catch (error) {
      await running.remove();
      throw error;
    }
    return dockerProver(running);
  } catch (error) {
    await deletePod(client, pods, plan.name).catch(() => undefined);
    throw error;
  }
}

/** A server that is away is waited for: what failed because of it says nothing of the workload. */
async function create({ manifest }: PodPlan, { client, signal }: Starting): Promise<void> {
  for (;;) {
    try {
      await requirePolicy(client);
      await client.createPod(manifest);
      return;
    } catch (error) {
      if (error instanceof StartFailure) throw error;
      const { message } = error as Error;
      if (!isServerAway(error))
        throw new StartFailure("internal", `the cluster refused the Pod: ${message}`, { cause: error });
      await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        throw new StartFailure("start_timeout", `the API server of the cluster did not take the Pod: ${message}`, {
          cause: error,
        });
      }
    }
  }
}

async function untilRunning(name: string, { client, pods, memoryBytes, report, signal }: Starting): Promise<string> {
  let seen: PodState | "gone" | null = null;
  const unfollow = pods.follow(name, (pod) => {
    seen = pod === null ? "gone" : stateOf(pod, Date.now());
  });
  try {
    for (;;) {
      await pods.look();
      const state = seen as PodState | "gone" | null;
      if (state === "gone") throw new StartFailure("node_lost", "the prover's Pod was deleted as it was started");
      if (state?.kind === "running") return state.ip;
      if (state?.kind === "refused") throw new StartFailure(state.reason, state.message);
      if (state?.kind === "ended") throw await endFailure(client, name, state.end, memoryBytes);
      if (state?.kind === "waiting") report({ step: state.step === "starting" ? "starting" : "pulling", ...NOTHING });
      if (signal.aborted) throw new StartFailure("start_timeout", waitedText(state));
      await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    unfollow();
  }
}

function waitedText(state: Extract<PodState, { readonly kind: "waiting" }> | null): string {
  if (state === null) return "the API server of the cluster did not say how the prover's Pod is";
  const seconds = state.sinceMs === null ? null : Math.max(0, Math.round((Date.now() - state.sinceMs) / 1000));
  const since = seconds === null ? "" : ` for ${seconds} s`;
  const why = state.why === "" ? "" : `: ${state.why}`;
  if (state.step === "scheduling") return `the cluster has had no room for the prover's Pod${since}${why}`;
  if (state.step === "pulling") return `the image was not there in time, the Pod has had its node${since}${why}`;
  return `the container did not start in time${why}`;
}

async function untilReady(running: RunningPod, { client, memoryBytes, report, signal }: Starting): Promise<void> {
  let why = "it did not respond";
  let signsAt = performance.now() + SIGNS_EVERY_MS;
  for (let waitMs = HEALTH_FIRST_DELAY_MS; ; waitMs = Math.min(HEALTH_DELAY_MS_MAX, waitMs * HEALTH_DELAY_GROWTH)) {
    const health = await checkHealth(running.http, signal).catch(() => null);
    if (health?.kind === "ready") return;
    if (health !== null) why = health.why;
    const end = await Promise.race([running.exited, delay(waitMs, null, { signal }).catch(() => null)]);
    if (end !== null) throw await endFailure(client, running.name, end, memoryBytes);
    if (signal.aborted) {
      const logTail = await running.logSince(0);
      throw new StartFailure("start_timeout", `the prover was not ready in time: ${why}`, { logTail });
    }
    if (performance.now() < signsAt) continue;
    signsAt = performance.now() + SIGNS_EVERY_MS;
    const checking: CheckingSigns = { warning: "", logTail: await running.logSince(0) };
    report({ step: "checking", ...NOTHING, checking });
  }
}

async function endFailure(
  client: ClusterClient,
  name: string,
  { exitCode, outOfMemory, lostBy }: ContainerEnd,
  memoryBytes: number,
): Promise<StartFailure> {
  if (lostBy !== undefined) return new StartFailure("node_lost", `${lostBy} as the prover was started`);
  const logTail = await readPodLog(client, name, 0, LOG_TAIL_BYTES_MAX);
  if (outOfMemory) {
    const message = `before it was ready ${outOfMemoryText("the container", memoryBytes)}`;
    return new StartFailure("out_of_memory", message, { exitCode, logTail });
  }
  const message = `the container exited with code ${exitCode} before it was ready`;
  return new StartFailure("prover_error", message, { exitCode, logTail });
}
