/** When a shell that was deleted is forgotten. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Shell } from "./shell.ts";

/** Long enough to see in lists of nodes and in the audit log which shell it was. */
export const DELETED_SHELL_RETAINED_MS = 30 * 24 * 3_600_000;

/** Not while its home may still be somewhere: the record is what has it erased. */
export function isShellForgotten({ state, nodeId }: Pick<Shell, "state" | "nodeId">, now: Instant): boolean {
  return state.kind === "deleted" && nodeId === null && state.since + DELETED_SHELL_RETAINED_MS <= now;
}
