/** Why no heartbeats of a node arrive, for operators. */
import type { AgentHeartbeats } from "./agent-heartbeats.ts";
import type { Link } from "./link.ts";
import { DECLARED_LOST } from "./refusal.ts";

/** Null while its link is open and read. */
export function silenceReason({
  isHeldBack,
  ended,
  endedBy,
}: Pick<Link, "isHeldBack" | "ended" | "endedBy">): string | null {
  if (isHeldBack) return HELD_BACK;
  if (!ended) return null;
  if (endedBy === null) return "the connection to its agent ended";
  return endedBy === DECLARED_LOST ? "its agent fell silent" : `its link was ended: ${endedBy.details}`;
}

/** Two heartbeats. */
const UNRESPONSIVE_MS = 6_000;

/** Of an agent whose thread says that its event loop does not respond; null while that does. */
export function unresponsiveReason({ loopSilentMs }: Pick<AgentHeartbeats, "loopSilentMs">): string | null {
  if (loopSilentMs < UNRESPONSIVE_MS) return null;
  const silentS = Math.round(loopSilentMs / 1_000);
  return `its agent lives, and its event loop has not responded for ${silentS} s; where that lasts the node is lost`;
}

const HELD_BACK =
  "its agent sent more than is processed at once: until that is done nothing further is read, and its heartbeats wait too";
