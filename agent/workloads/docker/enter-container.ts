/** The way into a container that was started: its relay, then its first healthy response, or why there is none. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "dockerode";
import type { Prover } from "../../domain/driver.ts";
import { outOfMemoryText } from "../../domain/out-of-memory-text.ts";
import { StartFailure } from "../../domain/start-failure.ts";
import type { CheckingSigns } from "../../domain/start-progress.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import { lookNowAndThen } from "./checking-signs.ts";
import { PROVER_PORT } from "./container-env.ts";
import { ENGINE_ENDED_IT, ENGINE_WENT_AWAY } from "./container-exit.ts";
import { readLogTail } from "./container-log.ts";
import { dockerProver } from "./docker-prover.ts";
import { checkHealth } from "./health.ts";
import { watchProcess } from "./process-lives.ts";
import { openContainer, type RelayPlace, type RunningContainer } from "./running-container.ts";

const LOG_TAIL_BYTES_MAX = 4 * 1024;
const ENGINE_LEARNS_WITHIN_MS = 5_000;
const ENGINE_EVERY_MS = 25;
const HEALTH_FIRST_DELAY_MS = 10;
const HEALTH_DELAY_MS_MAX = 1_000;
const HEALTH_DELAY_GROWTH = 1.5;
/** In addition to the tasks: checks of its health. */
const SPARE_CONNECTIONS = 4;

/** `socketDir` is short, since the path of a socket may have 107 bytes. */
export function relayPlace(socketDir: string, spec: WorkloadSpec, containerId: string): RelayPlace {
  return {
    port: PROVER_PORT,
    socketPath: join(socketDir, `${containerId.slice(0, 12)}.sock`),
    connectionsMax: spec.concurrency + SPARE_CONNECTIONS,
  };
}

export interface Entering {
  readonly endRequested: () => boolean;
  /** Called now and then while the prover is not healthy. */
  readonly report: (signs: CheckingSigns) => void;
  readonly signal: AbortSignal;
}

/** Resolves once the prover takes calls. */
export async function enterContainer(container: Container, place: RelayPlace, entering: Entering): Promise<Prover> {
  const running = await openContainer(container, place, entering.endRequested).catch(async (error: unknown) => {
    throw (await exitedEarly(container)) ?? error;
  });
  try {
    await untilReady(running, place.port, entering);
    return dockerProver(running);
  } catch (error) {
    await running.remove();
    throw error;
  }
}

async function untilReady(running: RunningContainer, port: number, { report, signal }: Entering): Promise<void> {
  let why = "it did not respond";
  const look = lookNowAndThen(running, port);
  for (let waitMs = HEALTH_FIRST_DELAY_MS; ; waitMs = Math.min(HEALTH_DELAY_MS_MAX, waitMs * HEALTH_DELAY_GROWTH)) {
    const health = await checkHealth(running.http, signal).catch(() => null);
    if (health?.kind === "ready") return;
    if (health !== null) why = health.why;
    const end = await Promise.race([running.exited, delay(waitMs, null, { signal }).catch(() => null)]);
    if (end?.engineWentAway) throw new StartFailure("node_lost", `${ENGINE_WENT_AWAY} as the prover was started`);
    if (end?.endRequested) throw new StartFailure("node_lost", `${ENGINE_ENDED_IT} as the prover was started`);
    if (end !== null) throw await exitFailure(running.container, end.exitCode, end.outOfMemory);
    const signs = await look();
    if (signs !== null) report(signs);
    if (signs !== null && signs.warning !== "") why = signs.warning;
    if (signal.aborted) {
      const logTail = await running.logSince(0);
      throw new StartFailure("start_timeout", `the prover was not ready in time: ${why}`, { logTail });
    }
  }
}

/**
 * The failure of a container that ended before anybody could reach it, or null when it still runs. The engine learns of
 * an end later than the kernel, on a busy machine by more than entering the container takes.
 */
async function exitedEarly(container: Container): Promise<StartFailure | null> {
  const until = performance.now() + ENGINE_LEARNS_WITHIN_MS;
  for (;;) {
    const state = await container.inspect().then(
      (info) => info.State,
      () => null,
    );
    if (state === null) return null;
    if (!state.Running) return await exitFailure(container, state.ExitCode, state.OOMKilled);
    if (watchProcess(state.Pid).lives() || performance.now() > until) return null;
    await delay(ENGINE_EVERY_MS);
  }
}

async function exitFailure(container: Container, exitCode: number | null, outOfMemory: boolean): Promise<StartFailure> {
  const logTail = await readLogTail(container, 0, LOG_TAIL_BYTES_MAX);
  if (outOfMemory) {
    const limit = await container.inspect().then(
      ({ HostConfig }) => HostConfig.Memory || null,
      () => null,
    );
    return new StartFailure("out_of_memory", `before it was ready ${outOfMemoryText("the container", limit)}`, {
      exitCode,
      logTail,
    });
  }
  const message = `the container exited with code ${exitCode} before it was ready`;
  return new StartFailure("prover_error", message, { exitCode, logTail });
}
