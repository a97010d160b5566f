/**
 * Makes another installed version the one that runs: drains the node, changes the link, restarts the agent, and waits until it is
 * healthy. Where it does not become so, the version before runs again.
 */
import type { AgentStatus } from "../status/agent-status.ts";
import type { DrainMark } from "./drain-mark.ts";
import { currentVersion, type Layout, previousVersion, switchBack, switchTo } from "./layout.ts";

interface RunningAgent {
  /** Null while none responds. */
  look(): Promise<AgentStatus | null>;
  /** Until nothing is left on the node. Returns why it did not come to that, or null. */
  drain(): Promise<string | null>;
  /** Accepts work again. Returns why it does not, or null. */
  resume(): Promise<string | null>;
  /** With what the link leads to; returns at once. `from` is the version before. */
  restart(from: string): Promise<void>;
}

export interface SwitchOptions {
  readonly layout: Layout;
  readonly agent: RunningAgent;
  readonly target: string;
  /** Left out where work ends with the restart, or continues in containers. */
  readonly drains: boolean;
  readonly mark: DrainMark;
  readonly healthyWithinMs: number;
  /** How long it must stay healthy. */
  readonly settlesMs: number;
  readonly now: () => number;
  /** Resolves earlier once the operator interrupts. */
  readonly pause: () => Promise<void>;
  readonly isInterrupted: () => boolean;
  readonly onProgress: (line: string) => void;
}

export type Switched = (
  | /** `restarted`: false where no agent ran. */
  { readonly kind: "switched"; readonly restarted: boolean }
  | { readonly kind: "unchanged"; readonly why: string }
  /** `runs`: whether the version before is healthy again. */
  | { readonly kind: "rolled_back"; readonly why: string; readonly runs: boolean }
) & {
  /** Why the node still has the drain of an upgrade; null where it has none. */
  readonly whyDrained: string | null;
};

export async function switchVersion(options: SwitchOptions): Promise<Switched> {
  const { layout, agent, target, drains, mark, onProgress } = options;
  const before = await agent.look();
  const [from, previous] = [currentVersion(layout), previousVersion(layout)];
  if (before === null) {
    switchTo(layout, target);
    return { kind: "switched", restarted: false, whyDrained: mark.isSet() ? "no agent runs" : null };
  }
  const isReady = before.drain.standing === "ready" && before.drain.asked === null;
  if (isReady) mark.clear();
  // Who drained it otherwise also ends that.
  const resumes = mark.isSet() || (drains && isReady);
  const resume = (): Promise<string | null> => (resumes ? resumeMarked(options) : Promise.resolve(null));
  if (drains) {
    if (resumes) mark.set();
    const why = await agent.drain();
    if (why !== null) return { kind: "unchanged", why, whyDrained: await resume() };
  }
  try {
    switchTo(layout, target);
  } catch (error) {
    return { kind: "unchanged", why: (error as Error).message, whyDrained: await resume() };
  }
  const failure = await restartAndWatch(options, target, from, before.sessionId);
  if (failure === null) return { kind: "switched", restarted: true, whyDrained: await resume() };
  onProgress(`${target} is not healthy (${failure}): starts ${from} again`);
  const failed = await agent.look();
  switchBack(layout, from, previous);
  // Whoever interrupted it once is not to leave the machine without an agent.
  const again = await restartAndWatch(
    { ...options, isInterrupted: () => false },
    from,
    target,
    failed?.sessionId ?? null,
  );
  const now = await agent.look();
  // What could not be restarted may run as before.
  const runs = again === null || complaintOf(now, from, null) === null;
  const whyDrained = runs || !resumes ? await resume() : `${from} is not healthy`;
  if (runs && now?.sessionId === before.sessionId) return { kind: "unchanged", why: failure, whyDrained };
  return { kind: "rolled_back", why: failure, runs, whyDrained };
}

/** Ends the drain of this upgrade, or of an earlier one that was interrupted. Returns why it did not come to that, or null. */
export async function resumeMarked({
  agent,
  mark,
}: Pick<SwitchOptions, "mark"> & ResumableAgent): Promise<string | null> {
  const why = await agent.resume();
  if (why === null) mark.clear();
  return why;
}

interface ResumableAgent {
  readonly agent: Pick<RunningAgent, "resume">;
}

/** Returns why the version did not become healthy, or null. */
async function restartAndWatch(
  options: SwitchOptions,
  version: string,
  from: string,
  earlierSession: string | null,
): Promise<string | null> {
  const { agent, healthyWithinMs, settlesMs, now, pause, isInterrupted, onProgress } = options;
  onProgress(`restarts the agent as ${version}`);
  const startedAt = now();
  try {
    await agent.restart(from);
  } catch (error) {
    return `it could not be restarted: ${(error as Error).message}`;
  }
  let healthySession: string | null = null;
  let healthySinceMs = startedAt;
  let why = "no agent responds";
  while (now() - startedAt < healthyWithinMs) {
    if (isInterrupted()) return "it was interrupted";
    await pause();
    const status = await agent.look();
    const complaint = complaintOf(status, version, earlierSession);
    why = complaint ?? `it was not up for ${settlesMs / 1000} s`;
    const session: string | null = complaint === null ? (status?.sessionId ?? null) : null;
    if (session === null || session !== healthySession) healthySinceMs = now();
    else if (now() - healthySinceMs >= settlesMs) return null;
    healthySession = session;
  }
  return why;
}

function complaintOf(status: AgentStatus | null, version: string, earlierSession: string | null): string | null {
  if (status === null) return "no agent responds";
  if (status.sessionId === earlierSession) return "the agent was not restarted";
  if (status.version !== version) return `an agent of version ${status.version} responds`;
  if (status.links.some(({ up }) => up)) return null;
  const [down] = status.links.flatMap(({ whyDown }) => whyDown ?? []);
  return `it is linked to no coordinator${down === undefined ? "" : `: ${down}`}`;
}
