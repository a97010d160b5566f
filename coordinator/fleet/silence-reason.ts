/** Why no heartbeats of a node arrive, for operators. */
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

const HELD_BACK =
  "its agent sent more than is processed at once: until that is done nothing further is read, and its heartbeats wait too";
