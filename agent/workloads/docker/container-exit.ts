/**
 * Waits for a container's end and reads how it ended. Two know of it, and the first counts: the engine, which is
 * queried to say so, and the kernel, which also knows when the engine was killed, hangs or lost track of its container.
 */
import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Container, ContainerInspectInfo } from "dockerode";
import type { ProverEnd } from "../../domain/driver.ts";
import { hasEngineReportedEnd } from "./engine-wait.ts";
import { memoryKillsOfMachine } from "./memory-kills.ts";

export interface ContainerEnd extends ProverEnd {
  /** The engine was lost while the container ran and took it along, so that its exit code says nothing of the prover. */
  readonly engineWentAway: boolean;
  /** Somebody requested its end of the engine, or the engine was stopped and ended it: its exit code says as little. */
  readonly endRequested: boolean;
  /** What else took it along, where that is known: what it ran on, or whoever manages that. */
  readonly lostBy?: string;
}

export const ENGINE_WENT_AWAY = "the container engine went away";
export const ENGINE_ENDED_IT = "the container engine was stopped, or was requested to end the container,";

const KERNEL_EVERY_MS = 1_000;
/** How often an engine that went away, or that is behind the kernel, is queried again. */
const ENGINE_RETRY_MS = 250;
const ENGINE_RESPONDS_WITHIN_MS = 5_000;
/** A request to an engine is seen on another connection than its effect, about as quickly. */
const REQUEST_SEEN_WITHIN_MS = 50;

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

/** What the engine says: of a container it knows, of one it does not know, or nothing at all. */
type EngineWord = ContainerInspectInfo | "unknown" | "silent";

/**
 * `lives` queries the kernel for the container's first process, `killed` returns whether the agent wanted the end,
 * `endRequested` whether anybody else did, `memoryKills` how many processes of this machine were killed for memory.
 */
export async function untilExit(
  container: Container,
  lives: () => boolean,
  killed: () => boolean,
  endRequested: () => boolean = () => false,
  memoryKills: () => number = memoryKillsOfMachine,
): Promise<ContainerEnd> {
  const recent = recentRise(memoryKills);
  for (;;) {
    const first = await engineOrKernel(container, () => {
      recent.sample();
      return lives();
    });
    const word = await lastWord(container, lives);
    if (word !== "runs") {
      const end = endOf(word, first === "engine lost" || word === "silent", killed());
      if (end.byAgent) return end;
      const requested = await soonTrue(endRequested);
      const isUnexplained = end.signal === "SIGKILL" && !requested && !end.outOfMemory;
      return { ...end, endRequested: requested, outOfMemory: end.outOfMemory || (isUnexplained && recent.rose()) };
    }
    // Some engines leave their containers running when they are started again: the end is still to come.
    await delay(ENGINE_RETRY_MS, undefined, { ref: false });
  }
}

async function engineOrKernel(
  container: Container,
  lives: () => boolean,
): Promise<"engine says" | "engine lost" | "kernel says"> {
  const enough = new AbortController();
  const engine = hasEngineReportedEnd(container, enough.signal).then((ended) =>
    ended ? "engine says" : "engine lost",
  );
  try {
    return await Promise.race([engine, untilGone(lives, enough.signal)]);
  } finally {
    enough.abort();
  }
}

async function untilGone(lives: () => boolean, enough: AbortSignal): Promise<"kernel says"> {
  while (lives() && !enough.aborted) await delay(KERNEL_EVERY_MS, undefined, { ref: false });
  return "kernel says";
}

/** Queries both until engine and kernel agree; one that stays silent over a dead process is not waited for. */
async function lastWord(container: Container, lives: () => boolean): Promise<EngineWord | "runs"> {
  let goneSince: number | null = null;
  for (;;) {
    const word = await inspect(container);
    if (word === "unknown" || (word !== "silent" && !word.State.Running)) return word;
    if (lives()) {
      if (word !== "silent") return "runs";
    } else {
      if (word === "silent") return word;
      goneSince ??= performance.now();
      if (performance.now() - goneSince > ENGINE_RESPONDS_WITHIN_MS) return "silent";
    }
    await delay(ENGINE_RETRY_MS, undefined, { ref: false });
  }
}

async function inspect(container: Container): Promise<EngineWord> {
  const inspected = container.inspect().catch((error: { readonly statusCode?: number }) => {
    return error.statusCode === 404 ? "unknown" : "silent";
  });
  return await Promise.race([inspected, delay(ENGINE_RESPONDS_WITHIN_MS, "silent" as const, { ref: false })]);
}

/** Whether a counter has risen since the sample before the last: a process takes a moment to end after its kill. */
function recentRise(count: () => number): { readonly sample: () => void; readonly rose: () => boolean } {
  let before = count();
  let last = before;
  return {
    sample: () => {
      before = last;
      last = count();
    },
    rose: () => count() > before,
  };
}

/** Whether it is so, or is within a moment. */
export async function soonTrue(isTrue: () => boolean): Promise<boolean> {
  if (!isTrue()) await delay(REQUEST_SEEN_WITHIN_MS, undefined, { ref: false });
  return isTrue();
}

function endOf(word: EngineWord, engineWentAway: boolean, byAgent: boolean): ContainerEnd {
  const rest = { byAgent, engineWentAway, endRequested: false };
  if (typeof word === "string") return { exitCode: null, signal: null, outOfMemory: false, ...rest };
  const { ExitCode, OOMKilled } = word.State;
  return {
    exitCode: ExitCode,
    signal: ExitCode > 128 ? (SIGNAL_NAMES.get(ExitCode - 128) ?? null) : null,
    outOfMemory: OOMKilled,
    ...rest,
  };
}
