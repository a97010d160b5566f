/** A prover in a container: calls, and what a call that was given up leaves behind. */
import { setTimeout as delay } from "node:timers/promises";
import type { Prover, ProverAnswer, ProverCall, ProverEnd } from "../driver.ts";
import { askHealth } from "./health.ts";
import { type PostAnswer, postTask } from "./post-task.ts";
import type { RunningContainer } from "./running-container.ts";

/** How long after a call was given up the prover must be idle, or it is killed. */
const IDLE_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** The connection of a dying container breaks before the engine knows of its end. */
const EXIT_FOLLOWS_WITHIN_MS = 2_000;

export function dockerProver(running: RunningContainer): Prover {
  const calls = new Set<Promise<ProverAnswer>>();
  let settled: Promise<void> = Promise.resolve();
  let over: ProverEnd | null = null;

  const ended = running.exited.then(async (end) => {
    over = end;
    // Whoever was calling reads the log's tail; then nothing needs the container any more.
    await Promise.allSettled(calls);
    await running.remove();
    return end;
  });

  const settle = (): void => {
    settled = settled.then(() => untilIdleOrKilled(running));
  };

  const call = async (task: ProverCall): Promise<ProverAnswer> => {
    await settled;
    if (over !== null) return { kind: "ended", end: over, logTail: "" };
    if (task.signal.aborted) return { kind: "aborted", logTail: "" };
    const beganAt = Date.now();
    const answer = await postTask(running.http, task);
    if (answer.kind === "answered" || answer.kind === "refused") return withLog(running, answer, beganAt);
    if (task.signal.aborted) {
      settle();
      return { kind: "aborted", logTail: await running.logSince(beganAt) };
    }
    // A broken answer may leave the prover at work on it.
    if (answer.kind !== "disconnected") settle();
    const end = await exitSoon(running, answer.kind === "disconnected" ? EXIT_FOLLOWS_WITHIN_MS : 0);
    if (end !== null) return { kind: "ended", end, logTail: await running.logSince(beganAt) };
    if (answer.kind === "disconnected") settle();
    return withLog(running, answer, beganAt);
  };

  return {
    ended,
    stop: async () => {
      await running.kill();
      await ended;
    },
    prove: (task) => {
      const answer = call(task);
      calls.add(answer);
      void answer.finally(() => calls.delete(answer));
      return answer;
    },
  };
}

async function withLog(running: RunningContainer, answer: PostAnswer, beganAt: number): Promise<ProverAnswer> {
  if (answer.kind === "answered") return answer;
  const logTail = await running.logSince(beganAt);
  if (answer.kind !== "disconnected") return { ...answer, logTail };
  return {
    kind: "garbled",
    message: `the prover closed the connection without an answer (${answer.message})`,
    logTail,
  };
}

function exitSoon(running: RunningContainer, withinMs: number): Promise<ProverEnd | null> {
  return Promise.race([running.exited, delay(withinMs, null, { ref: false })]);
}

/** Leaves alone a prover that says it is idle again; any other is killed, and comes back as a new one. */
async function untilIdleOrKilled(running: RunningContainer): Promise<void> {
  const over = running.exited.then(() => true);
  for (const until = performance.now() + IDLE_WITHIN_MS; performance.now() < until; ) {
    const health = await askHealth(running.http, AbortSignal.timeout(IDLE_WITHIN_MS)).catch(() => null);
    if (health?.kind === "ready" && health.busy === false) return;
    if (await Promise.race([over, delay(LOOK_EVERY_MS, false)])) return;
  }
  await running.kill();
  await running.exited;
}
