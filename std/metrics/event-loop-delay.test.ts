import { setImmediate } from "node:timers/promises";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { addEventLoopDelay } from "./event-loop-delay.ts";

const BLOCKED_MS = 200;

async function longest(registry: Registry): Promise<number> {
  return Number(/quantile="1"} (\S+)/.exec(await registry.metrics())?.[1]);
}

/** The timer that measures runs between the turns of the loop that follow. */
async function block(): Promise<void> {
  const endMs = performance.now() + BLOCKED_MS;
  while (performance.now() < endMs);
  await setImmediate();
  await setImmediate();
}

test("reports how long the event loop was blocked, once", async () => {
  const registry = new Registry();
  addEventLoopDelay(registry);
  await expect.poll(() => block().then(() => longest(registry))).toBeGreaterThan((0.75 * BLOCKED_MS) / 1000);
  await expect.poll(() => longest(registry)).toBeLessThan((0.5 * BLOCKED_MS) / 1000);
});
