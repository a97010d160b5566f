/** Ends a Pod with the grace that a container has, and without any where its node does not confirm that. */
import { setTimeout as delay } from "node:timers/promises";
import { type ClusterClient, isServerAway } from "./cluster-client.ts";
import type { PodKeeper } from "./pod-keeper.ts";
import { GRACE_SECONDS } from "./pod-manifest.ts";

const CONFIRMED_WITHIN_MS = 10_000;
const SERVER_BACK_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 200;

/** Returns whether it is gone; false where the API server could not be reached for a while. */
export async function deletePod(client: ClusterClient, pods: Pick<PodKeeper, "list">, name: string): Promise<boolean> {
  const until = performance.now() + SERVER_BACK_WITHIN_MS;
  if (!(await tryUntil(until, () => client.deletePod(name, GRACE_SECONDS)))) return false;
  for (const forceAt = performance.now() + CONFIRMED_WITHIN_MS; performance.now() < forceAt; ) {
    const all = await pods.list().catch(() => null);
    if (all !== null && !all.some((pod) => pod.metadata.name === name)) return true;
    await delay(LOOK_EVERY_MS);
  }
  return await tryUntil(performance.now() + SERVER_BACK_WITHIN_MS, () => client.deletePod(name, 0));
}

async function tryUntil(untilMs: number, request: () => Promise<void>): Promise<boolean> {
  for (;;) {
    try {
      await request();
      return true;
    } catch (error) {
      if (!isServerAway(error)) throw error;
      if (performance.now() > untilMs) return false;
      await delay(LOOK_EVERY_MS);
    }
  }
}
