/** Takes a container away, also one whose engine does not respond just now. */
import { setTimeout as delay } from "node:timers/promises";
import type { Container } from "dockerode";
import { hasEngineResponded } from "./engine-failure.ts";

const ENGINE_RETRY_MS = 2_000;

/** Resolves when it is gone, or when its engine cannot be reached: then it goes once the engine is back. */
export async function removeContainer(container: Container): Promise<void> {
  if (!(await engineTakes(container))) void removeLater(container);
}

async function removeLater(container: Container): Promise<void> {
  do await delay(ENGINE_RETRY_MS, undefined, { ref: false });
  while (!(await engineTakes(container)));
}

/** Whether the engine responded at all: what it refuses, it would refuse again. */
async function engineTakes(container: Container): Promise<boolean> {
  return await container.remove({ force: true, v: true }).then(
    () => true,
    (error: unknown) => hasEngineResponded(error),
  );
}
