/** A prover in a container: calls, and what an aborted call leaves behind. */
import { setTimeout as delay } from "node:timers/promises";
import type { Prover, ProverAnswer, ProverCall } from "../../domain/driver.ts";
import { EngineAwayError } from "../../domain/engine-away-error.ts";
import { callsUnderWay } from "../calls-under-way.ts";
import { type ContainerEnd, ENGINE_ENDED_IT, ENGINE_WENT_AWAY, soonTrue } from "./container-exit.ts";
import { checkHealth } from "./health.ts";
import { pollProgress } from "./poll-progress.ts";
import { type PostAnswer, postTask } from "./post-task.ts";
import type { CalledContainer } from "./running-container.ts";

/** How long after a call was aborted the prover must be idle, or it is killed. */
const IDLE_WITHIN_MS = 1_000;
const LOOK_EVERY_MS = 100;

export function dockerProver(running: CalledContainer): Prover {
  const calls = callsUnderWay();
  let settled: Promise<void> = Promise.resolve();
  let over: ContainerEnd | null = null;

  const ended = running.exited.then((end) => {
    over = end;
    return end;
  });
  // Whoever was calling reads the log's tail; then nothing needs the container any more.
  const removed = ended.then(() => calls.none()).then(() => running.remove());

  const settle = (): void => {
    settled = settled.then(() => untilIdleOrKilled(running));
  };

  const call = async (task: ProverCall): Promise<ProverAnswer> => {
    await settled;
    if (over !== null) return { kind: "ended", end: over, logTail: "" };
    if (task.signal.aborted) return { kind: "aborted", logTail: "" };
    const beganAt = Date.now();
    const killsBefore = running.memoryKills();
    const answer = await postWithProgress(running, task, () => calls.count() === 1);
    const killedForMemory = running.memoryKills() > killsBefore;
    if (answer.kind === "responded") return { kind: "responded", killedForMemory };
    if (answer.kind === "refused") {
      // A prover's response while it is ended says nothing about its task.
      if (await soonTrue(running.endRequested)) return lost(ENGINE_ENDED_IT);
      return marked(await withLog(running, answer, beganAt), killedForMemory);
    }
    if (task.signal.aborted) {
      settle();
      return { kind: "aborted", logTail: await running.logSince(beganAt) };
    }
    const end = await running.endIfDying();
    if (end !== null) return endedAnswer(running, end, beganAt);
    // It may still be at work on what nobody waits for any more.
    settle();
    return marked(await withLog(running, answer, beganAt), killedForMemory);
  };

  return {
    log: running.log,
    ended,
    stop: async () => {
      await running.kill();
      await removed;
    },
    idle: () => calls.none(),
    prove: (task) => calls.track(call(task)),
  };
}

/** While the prover works on the task its progress is polled. */
async function postWithProgress(running: CalledContainer, task: ProverCall, alone: () => boolean): Promise<PostAnswer> {
  const over = new AbortController();
  pollProgress(running.http, { alone, onProgress: task.onProgress, over: over.signal });
  try {
    return await postTask(running.http, task);
  } finally {
    over.abort();
  }
}

async function withLog(
  running: CalledContainer,
  answer: Exclude<PostAnswer, { kind: "responded" }>,
  beganAt: number,
): Promise<ProverAnswer> {
  const logTail = await running.logSince(beganAt);
  if (answer.kind !== "disconnected") return { ...answer, logTail };
  return {
    kind: "garbled",
    message: `the prover closed the connection without a response (${answer.message})`,
    logTail,
  };
}

/** The prover's response after one of its processes was killed is reported with that fact. */
function marked(answer: ProverAnswer, killedForMemory: boolean): ProverAnswer {
  return answer.kind === "refused" || answer.kind === "garbled" ? { ...answer, killedForMemory } : answer;
}

/** A prover that its engine took along did nothing wrong: what the call missed is the machinery's doing. */
async function endedAnswer(running: CalledContainer, end: ContainerEnd, beganAt: number): Promise<ProverAnswer> {
  if (end.lostBy !== undefined) return lost(end.lostBy);
  if (end.engineWentAway) return lost(ENGINE_WENT_AWAY);
  if (end.endRequested) return lost(ENGINE_ENDED_IT);
  return { kind: "ended", end, logTail: await running.logSince(beganAt) };
}

function lost(why: string): ProverAnswer {
  return { kind: "broken", error: new EngineAwayError(`${why} while the prover worked`), logTail: "" };
}

/** Leaves alone a prover that says it is idle again; any other is killed, and comes back as a new one. */
async function untilIdleOrKilled(running: CalledContainer): Promise<void> {
  const over = running.exited.then(() => true);
  // A prover that accepts the question and never responds gets no longer than one that says it is busy.
  const patience = AbortSignal.timeout(IDLE_WITHIN_MS);
  while (!patience.aborted) {
    const health = await checkHealth(running.http, patience).catch(() => null);
    if (health?.kind === "ready" && health.busy === false) return;
    if (await Promise.race([over, delay(LOOK_EVERY_MS, false)])) return;
  }
  await running.kill();
  await running.exited;
}
