/**
 * `elastic-agent drain` and `resume`: sends the order to the agent on this machine, which sends it to a coordinator.
 */
import { pause } from "@elastic/std/pause.ts";
import { loadStateConfig } from "../config/config.ts";
import type { DrainOrder } from "../drain/drain-orders.ts";
import { drainText, isEmpty } from "../drain/drain-text.ts";
import { type AgentStatus, noAgentText } from "../status/agent-status.ts";
import { socketDirOf } from "../status/socket-dir.ts";
import { queryAgent, type StatusPath } from "../status/status-socket.ts";

const LOOK_EVERY_MS = 300;
/** A coordinator that is linked responds at once. */
const RESPONDS_WITHIN_MS = 10_000;

export interface DrainOptions {
  /** Until nothing is left, not only until a coordinator has confirmed it. */
  readonly wait: boolean;
  readonly signal: AbortSignal;
  /** A line of how it goes, each only once. */
  readonly onProgress: (line: string) => void;
}

/** Returns the text to print, and whether the order was carried out. */
export async function drain(
  env: NodeJS.ProcessEnv,
  order: DrainOrder,
  options: DrainOptions,
): Promise<{ readonly text: string; readonly done: boolean }> {
  const { stateDir } = loadStateConfig(env);
  const look = (path: StatusPath) => queryAgent(socketDirOf(stateDir), path);
  let status = await look(pathOf(order));
  if (status === null) return { text: noAgentText(stateDir), done: false };
  const startedAt = Date.now();
  let line = "";
  while (!isDone(order, status, options)) {
    if (status.drain.asked !== null && Date.now() - startedAt > RESPONDS_WITHIN_MS)
      return { text: NO_RESPONSE, done: false };
    if (wasTakenBack(order, status)) return { text: "the drain was taken back: the node takes work", done: false };
    if (status.drain.refused !== null) return { text: `refused: ${status.drain.refused}`, done: false };
    if (isQuarantined(order, status)) return { text: quarantineText(status), done: false };
    if (drainText(status.drain) !== line) {
      line = drainText(status.drain);
      options.onProgress(line);
    }
    await pause(LOOK_EVERY_MS, options.signal);
    if (options.signal.aborted) return { text: "the node continues to drain", done: false };
    status = await look("/");
    if (status === null) return { text: "the agent has stopped", done: false };
  }
  return { text: drainText(status.drain), done: true };
}

const NO_RESPONSE =
  "no coordinator has responded yet: the agent repeats the request as soon as it is linked; see elastic-agent status";

function isQuarantined(order: DrainOrder, { drain: { asked, quarantine } }: AgentStatus): boolean {
  return order.kind === "resume" && asked === null && quarantine !== null;
}

function quarantineText({ drain: { quarantine } }: AgentStatus): string {
  return (
    `the coordinators have quarantined the node, so it still takes no work: ${quarantine}. An operator ends that with ` +
    "`elastic node resume`; it ends an hour after the last such message otherwise"
  );
}

function pathOf(order: DrainOrder): StatusPath {
  if (order.kind === "resume") return "/resume";
  if (order.spot === true) return "/drain?spot";
  return order.stopShells ? "/drain?stop-shells" : "/drain";
}

function isDone(order: DrainOrder, status: AgentStatus, { wait }: DrainOptions): boolean {
  if (status.drain.asked !== null) return false;
  if (order.kind === "resume") return status.drain.standing === "ready";
  return wait ? isEmpty(status) : status.drain.standing === "draining" || status.drain.standing === "drained";
}

function wasTakenBack(order: DrainOrder, { drain: { asked, standing } }: AgentStatus): boolean {
  return order.kind === "drain" && asked === null && standing === "ready";
}
