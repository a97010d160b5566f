/** Responses of etcd that are lost, to one kind of write: it is done, and the coordinator has to find that out. */
import { expect } from "vitest";
import { lineThatLosesResponsesTo } from "./bad-lines.ts";
import { startScenario } from "./scenario.ts";

const LOSSES = 5;
const LOST_WITHIN_MS = 60_000;

/** `written` is part of the record as such a write has it, and no other. */
export async function loseResponsesTo(written: string): Promise<void> {
  await using run = await startScenario();
  const [line] = run.lines.toEtcd;
  if (line === undefined) throw new Error("a coordinator was started");
  const lossy = lineThatLosesResponsesTo(written, LOSSES);
  await run.fault(async () => {
    line.treat(lossy.treatment);
    await expect.poll(lossy.count, { timeout: LOST_WITHIN_MS }).toBe(LOSSES);
    line.treat(null);
  });
  const { attemptsMax, requeues } = await run.verdict();
  expect({ attemptsMax, requeues }).toEqual({ attemptsMax: 1, requeues: [] });
}
