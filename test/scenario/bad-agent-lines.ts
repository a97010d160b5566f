/** A bad line between all agents and the coordinator, on which nothing is lost that is not sent again. */
import { expect } from "vitest";
import type { BadLine } from "./bad-lines.ts";
import { startScenario } from "./scenario.ts";

const BAD_MS = 20_000;

export async function workOnBadLines(
  line: (random: (below: number) => number) => BadLine,
  expected: { readonly count: number; readonly callers?: number },
): Promise<void> {
  await using run = await startScenario({ callers: expected.callers ?? 8 });
  const bad = line(run.random);
  await run.fault(async () => {
    for (const proxy of run.lines.toCoordinators) proxy.treat(bad.treatment);
    await run.lasts(BAD_MS);
    expect(bad.count()).toBeGreaterThan(expected.count);
    for (const proxy of run.lines.toCoordinators) {
      proxy.treat(null);
      // What is still on its way would be overtaken.
      proxy.reset();
    }
  });
  const { accepted, attemptsMax, requeues } = await run.verdict();
  expect(accepted.during).toBeGreaterThan(10);
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
}
