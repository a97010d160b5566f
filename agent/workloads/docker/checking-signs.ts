/** What shows of a prover that runs and is not healthy: what it writes, and that it listens on another port. */
import type { CheckingSigns } from "../../domain/start-progress.ts";
import type { RunningContainer } from "./running-container.ts";

/** Most provers are healthy before. */
const FIRST_LOOK_MS = 2_000;
const LOOK_EVERY_MS = 2_000;

/** To be called again and again: resolves to null where it is not time to look. */
export function lookNowAndThen(
  { listeningPorts, logSince }: Pick<RunningContainer, "listeningPorts" | "logSince">,
  port: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<CheckingSigns | null> {
  let nextMs = nowMs() + FIRST_LOOK_MS;
  return async () => {
    if (nowMs() < nextMs) return null;
    nextMs = nowMs() + LOOK_EVERY_MS;
    return { warning: portWarning(port, listeningPorts() ?? []), logTail: await logSince(0) };
  };
}

/** Empty where it listens on its port, or on none yet: provers may read keys for long before they listen. */
export function portWarning(expected: number, open: readonly number[]): string {
  if (open.length === 0 || open.includes(expected)) return "";
  const ports = open.length === 1 ? `port ${open[0]}` : `the ports ${open.join(", ")}`;
  return `the prover listens on ${ports}, but tasks come to port ${expected}: have it listen on 0.0.0.0:$PORT`;
}
