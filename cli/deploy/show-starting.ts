/** Shows what a prover writes while it starts, and what keeps it from being healthy: each line and each warning once. */
import type { DeploymentRecord } from "../api/records.ts";
import type { Printer } from "../output/printer.ts";

type Starting = DeploymentRecord["starting"];

/** To be called with each look at the deployment. */
export function showStarting(printer: Pick<Printer, "note">): (starting: Starting | undefined) => void {
  let seen = "";
  let warned = "";
  // Services of the version before do not say.
  return (starting) => {
    if (!starting) return;
    for (const line of newLines(seen, starting.log_tail)) printer.note(`| ${line}`);
    if (starting.log_tail !== "") seen = starting.log_tail;
    if (starting.warning !== null && starting.warning !== warned) printer.note(`Warning: ${starting.warning}.`);
    warned = starting.warning ?? warned;
  };
}

/** Of two ends of one log, the complete lines of the later that the earlier does not have. */
export function newLines(earlier: string, later: string): readonly string[] {
  const before = earlier.split("\n").slice(0, -1);
  const after = later.split("\n").slice(0, -1);
  for (let from = 0; from < before.length; from += 1) {
    const overlap = before.slice(from);
    if (overlap.every((line, at) => line === after[at])) return after.slice(overlap.length);
    // The first line of what is cut may be the rest of one.
    if (
      overlap.length > 1 &&
      overlap.slice(1).every((line, at) => line === after[at + 1]) &&
      overlap[0]?.endsWith(after[0] ?? "")
    ) {
      return after.slice(overlap.length);
    }
  }
  return after;
}
