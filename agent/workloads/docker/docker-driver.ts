/** Runs provers as containers of this machine's engine. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "@elastic/std/log.ts";
import type { Container } from "dockerode";
import type { Driver, FoundWorkload, Prover } from "../driver.ts";
import { StartFailure } from "../start-failure.ts";
import type { TellProgress } from "../start-progress.ts";
import type { WorkloadSpec } from "../workload-spec.ts";
import { type BroughtIn, bringIn, type Suppliers } from "./bring-in.ts";
import { type ContainerOwner, containerPlan, LABELS, specDigest } from "./container-config.ts";
import { PROVER_PORT } from "./container-env.ts";
import { ENGINE_WENT_AWAY } from "./container-exit.ts";
import { readLogTail } from "./container-log.ts";
import { dockerProver } from "./docker-prover.ts";
import { assertGpusGiven, assertNoVolumes, engineFailure, volumesGiven } from "./engine-failure.ts";
import { askHealth } from "./health.ts";
import type { HostLimits } from "./host-limits.ts";
import { removeContainer } from "./remove-container.ts";
import { openContainer, type RelayPlace, type RunningContainer } from "./running-container.ts";

export interface DockerDriverOptions extends Suppliers {
  readonly owner: ContainerOwner;
  readonly hostLimits: HostLimits;
  /** Where relays listen; its path is short, since a socket's may have 107 bytes. */
  readonly socketDir: string;
  readonly log: Logger;
}

const LOG_TAIL_BYTES_MAX = 4 * 1024;
const HEALTH_FIRST_DELAY_MS = 10;
const HEALTH_DELAY_MS_MAX = 1_000;
const HEALTH_DELAY_GROWTH = 1.5;
/** A prover that an earlier agent left may still be at work for it. */
const ADOPT_WITHIN_MS = 3_000;
/** Beside the tasks: questions for its health. */
const SPARE_CONNECTIONS = 4;

export function dockerDriver(options: DockerDriverOptions): Driver {
  const { docker, owner } = options;
  /** Containers of an earlier process that this one has taken over. */
  const adopted = new Set<string>();

  return {
    name: "docker",
    find: async () => {
      const filters = { label: [`${LABELS.node}=${owner.nodeId}`] };
      const all = await docker.listContainers({ all: true, filters });
      return all
        .filter(({ Id, Labels }) => Labels[LABELS.session] !== owner.sessionId && !adopted.has(Id))
        .map(({ Id, Labels }) => foundWorkload(options, Id, Labels[LABELS.assignment] ?? "", adopted));
    },
    start: (spec, tell, signal) => start(options, spec, tell, signal),
  };
}

async function start(
  options: DockerDriverOptions,
  spec: WorkloadSpec,
  tell: TellProgress,
  signal: AbortSignal,
): Promise<Prover> {
  const brought = await bringIn(options, spec, tell, signal);
  try {
    const prover = await startContainer(options, spec, brought, { tell, signal });
    void prover.ended.then(() => brought.volume?.release());
    return prover;
  } catch (error) {
    brought.volume?.release();
    throw error;
  }
}

async function startContainer(
  options: DockerDriverOptions,
  spec: WorkloadSpec,
  { image, volume, bytes }: BroughtIn,
  { tell, signal }: { readonly tell: TellProgress; readonly signal: AbortSignal },
): Promise<Prover> {
  const { docker, owner, hostLimits, log } = options;
  tell({ step: "starting", doneBytes: bytes, totalBytes: bytes });
  const on = { host: hostLimits, data: volume?.path ?? null };
  const { options: wanted, env } = containerPlan(spec, image, owner, on);
  if (env.leftOut.length > 0) {
    log.warn({ assignmentId: spec.assignmentId, names: env.leftOut }, "variables of the deployment were left out");
  }
  const container = await docker.createContainer(wanted).catch((error: unknown) => {
    throw engineFailure("created", error, spec);
  });
  try {
    await assertNoVolumes(container);
    await container.start().catch((error: unknown) => {
      throw engineFailure("started", error, spec);
    });
    await assertGpusGiven(container, spec);
    tell({ step: "checking", doneBytes: bytes, totalBytes: bytes });
    return await enter(container, relayPlace(options, spec, container.id), signal);
  } catch (error) {
    await removeContainer(container);
    throw error;
  }
}

/** Resolves once the prover takes calls. */
async function enter(container: Container, place: RelayPlace, signal: AbortSignal): Promise<Prover> {
  const running = await openContainer(container, place).catch(async (error: unknown) => {
    throw (await exitedEarly(container)) ?? error;
  });
  try {
    await untilReady(running, signal);
    return dockerProver(running);
  } catch (error) {
    await running.remove();
    throw error;
  }
}

async function untilReady(running: RunningContainer, signal: AbortSignal): Promise<void> {
  let why = "it did not answer";
  for (let waitMs = HEALTH_FIRST_DELAY_MS; ; waitMs = Math.min(HEALTH_DELAY_MS_MAX, waitMs * HEALTH_DELAY_GROWTH)) {
    const health = await askHealth(running.http, signal).catch(() => null);
    if (health?.kind === "ready") return;
    if (health !== null) why = health.why;
    const end = await Promise.race([running.exited, delay(waitMs, null, { signal }).catch(() => null)]);
    if (end?.engineWentAway) throw new StartFailure("internal", `${ENGINE_WENT_AWAY} as the prover was started`);
    if (end !== null) throw await exitFailure(running.container, end.exitCode, end.outOfMemory);
    if (signal.aborted) {
      const logTail = await running.logSince(0);
      throw new StartFailure("start_timeout", `the prover was not ready in time: ${why}`, { logTail });
    }
  }
}

/** The failure of a container that ended before anybody could reach it, or null when it still runs. */
async function exitedEarly(container: Container): Promise<StartFailure | null> {
  const state = await container.inspect().then(
    (info) => info.State,
    () => null,
  );
  return state === null || state.Running ? null : exitFailure(container, state.ExitCode, state.OOMKilled);
}

async function exitFailure(container: Container, exitCode: number | null, outOfMemory: boolean): Promise<StartFailure> {
  const logTail = await readLogTail(container, 0, LOG_TAIL_BYTES_MAX);
  if (outOfMemory) {
    return new StartFailure("out_of_memory", "the container was killed for memory before it was ready", {
      exitCode,
      logTail,
    });
  }
  const message = `the container exited with code ${exitCode} before it was ready`;
  return new StartFailure("prover_error", message, { exitCode, logTail });
}

function relayPlace({ socketDir }: DockerDriverOptions, spec: WorkloadSpec, containerId: string): RelayPlace {
  return {
    port: PROVER_PORT,
    socketPath: join(socketDir, `${containerId.slice(0, 12)}.sock`),
    connectionsMax: spec.concurrency + SPARE_CONNECTIONS,
  };
}

function foundWorkload(
  options: DockerDriverOptions,
  containerId: string,
  assignmentId: string,
  adopted: Set<string>,
): FoundWorkload {
  const container = options.docker.getContainer(containerId);
  const remove = async (): Promise<void> => {
    await container.remove({ force: true, v: true });
  };
  return {
    assignmentId,
    handle: containerId,
    remove,
    adopt: async (spec, signal) => {
      adopted.add(containerId);
      const prover = await adopt(options, container, spec, signal).catch(() => null);
      if (prover === null) await remove().catch(() => undefined);
      return prover;
    },
  };
}

async function adopt(
  options: DockerDriverOptions,
  container: Container,
  spec: WorkloadSpec,
  signal: AbortSignal,
): Promise<Prover | null> {
  const { Config, State } = await container.inspect();
  if (!State.Running || Config.Labels[LABELS.spec] !== specDigest(spec)) return null;
  if ((await volumesGiven(container)).length > 0) return null;
  // It is mounted there already: from here on it is known to be in use.
  const volume = await options.mountVolume(spec, () => undefined, signal);
  const prover = await takeOver(options, container, spec, signal).catch(() => null);
  if (prover === null) volume?.release();
  else void prover.ended.then(() => volume?.release());
  return prover;
}

/** Null unless it is idle. */
async function takeOver(
  options: DockerDriverOptions,
  container: Container,
  spec: WorkloadSpec,
  signal: AbortSignal,
): Promise<Prover | null> {
  const running = await openContainer(container, relayPlace(options, spec, container.id));
  for (const until = performance.now() + ADOPT_WITHIN_MS; performance.now() < until && !signal.aborted; ) {
    const health = await askHealth(running.http, signal);
    if (health.kind === "ready" && health.busy !== true) return dockerProver(running);
    await delay(HEALTH_FIRST_DELAY_MS * 10);
  }
  await running.remove();
  return null;
}
