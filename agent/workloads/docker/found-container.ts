/** A container that an earlier process of this agent left: taken over if it is healthy, idle and made for just this. */
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "dockerode";
import type { FoundWorkload, Prover } from "../../domain/driver.ts";
import type { WorkloadSpec } from "../../domain/workload-spec.ts";
import type { Suppliers } from "./bring-in.ts";
import { LABELS, specDigest } from "./container-config.ts";
import { dockerProver } from "./docker-prover.ts";
import { volumesGiven } from "./engine-failure.ts";
import { relayPlace } from "./enter-container.ts";
import { checkHealth } from "./health.ts";
import { openContainer } from "./running-container.ts";

export interface AdoptOptions extends Pick<Suppliers, "docker" | "mountVolume"> {
  readonly socketDir: string;
  readonly wasEndRequested: (containerId: string) => boolean;
}

/** A prover that an earlier agent left may still be at work for it. */
const ADOPT_WITHIN_MS = 3_000;
const LOOK_EVERY_MS = 100;

export function foundContainer(
  options: AdoptOptions,
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
  options: AdoptOptions,
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
  options: AdoptOptions,
  container: Container,
  spec: WorkloadSpec,
  signal: AbortSignal,
): Promise<Prover | null> {
  const endRequested = () => options.wasEndRequested(container.id);
  const running = await openContainer(container, relayPlace(options.socketDir, spec, container.id), endRequested);
  for (const until = performance.now() + ADOPT_WITHIN_MS; performance.now() < until && !signal.aborted; ) {
    const health = await checkHealth(running.http, signal);
    if (health.kind === "ready" && health.busy !== true) return dockerProver(running);
    await delay(LOOK_EVERY_MS);
  }
  await running.remove();
  return null;
}
