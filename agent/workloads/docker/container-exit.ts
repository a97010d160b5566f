/** Waits for a container's end and reads how it ended. */

import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Container, ContainerInspectInfo } from "dockerode";
import type { ProverEnd } from "../driver.ts";

/** How often an engine that went away is asked again. */
const ENGINE_RETRY_MS = 500;

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** What the engine says of a container that runs no more; null when it does not know it. */
export async function untilExit(container: Container): Promise<ContainerInspectInfo | null> {
  for (;;) {
    // The wait breaks when the engine restarts; the container may live on then.
    await container.wait().catch(() => delay(ENGINE_RETRY_MS));
    try {
      const info = await container.inspect();
      if (!info.State.Running) return info;
    } catch (error) {
      if ((error as { readonly statusCode?: number }).statusCode === 404) return null;
    }
  }
}

export function endOf(info: ContainerInspectInfo | null, byAgent: boolean): ProverEnd {
  if (info === null) return { exitCode: null, signal: null, outOfMemory: false, byAgent };
  const { ExitCode, OOMKilled } = info.State;
  return {
    exitCode: ExitCode,
    signal: ExitCode > 128 ? (SIGNAL_NAMES.get(ExitCode - 128) ?? null) : null,
    outOfMemory: OOMKilled,
    byAgent,
  };
}
