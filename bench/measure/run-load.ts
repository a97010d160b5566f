/** Loads a contender as ordered. Any failure ends the measurement: a figure with failures in it is none. */
import { setTimeout as delay } from "node:timers/promises";
import type { LoadOrder, LoadReport, Submit } from "./load.ts";
import { nowUs } from "./now-us.ts";

/** At a rate that is too high for the contender the rest is waited for, so that late ones count. */
const LATE_MS_MAX = 60_000;

export async function runLoad(order: LoadOrder, submit: Submit): Promise<LoadReport> {
  const startMs: number[] = [];
  const doneMs: number[] = [];
  let tasks = 0;
  let lastDoneUs = 0;
  const one = async (): Promise<void> => {
    const submittedUs = nowUs();
    const finished = await submit();
    lastDoneUs = nowUs();
    tasks += finished.tasks;
    doneMs.push((lastDoneUs - submittedUs) / 1000);
    if (finished.startedUs !== null) startMs.push((finished.startedUs - submittedUs) / 1000);
  };
  const beganUs = nowUs();
  if (order.kind === "saturate") await keepInFlight(order, one);
  else await keepRate(order, one);
  return { tasks, tasksPerSecond: tasks / ((lastDoneUs - beganUs) / 1e6), startMs, doneMs };
}

async function keepInFlight(order: { inFlight: number; seconds: number }, one: () => Promise<void>): Promise<void> {
  const endUs = nowUs() + order.seconds * 1e6;
  const caller = async (): Promise<void> => {
    while (nowUs() < endUs) await one();
  };
  await Promise.all(Array.from({ length: order.inFlight }, caller));
}

/** Submissions are due at set times and do not wait for each other, so a slow response delays no other. */
async function keepRate(order: { perSecond: number; seconds: number }, one: () => Promise<void>): Promise<void> {
  const beganUs = nowUs();
  const open: Promise<void>[] = [];
  for (let index = 0; index < order.perSecond * order.seconds; index += 1) {
    const dueInMs = (beganUs + (index / order.perSecond) * 1e6 - nowUs()) / 1000;
    if (dueInMs > 0) await delay(dueInMs);
    const submitted = one();
    // A failure is reported below, once all are submitted.
    submitted.catch(() => {});
    open.push(submitted);
  }
  const late = new AbortController();
  const tooLate = delay(LATE_MS_MAX, undefined, { signal: late.signal }).then(() => {
    throw new Error(`not done ${LATE_MS_MAX} ms after the last submission`);
  });
  await Promise.race([Promise.all(open), tooLate]).finally(() => {
    tooLate.catch(() => {});
    late.abort();
  });
}
