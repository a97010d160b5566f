/** Why nothing is heard of a node, as its operator is told. */
import type { Link } from "./link.ts";
import { GIVEN_UP } from "./refusal.ts";

/** Null while its link is open and read. */
export function whyUnheard({
  isHeldBack,
  ended,
  endedBy,
}: Pick<Link, "isHeldBack" | "ended" | "endedBy">): string | null {
  if (isHeldBack) return HELD_BACK;
  if (!ended) return null;
  if (endedBy === null) return "the connection to its agent ended";
  return endedBy === GIVEN_UP ? "its agent fell silent" : `its link was ended: ${endedBy.details}`;
}

const HELD_BACK =
  "its agent sent more than is dealt with at once: until that is done nothing further is read, and its heartbeats wait too";
