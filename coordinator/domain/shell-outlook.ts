/** Whether a shell that has no home yet can come up anywhere, as the fleet is. Pure. */
import type { Node } from "./node.ts";
import { type Fitted, needs, whyNowhere } from "./suitable-node.ts";

/** What it waits for, in words for its record; null where a machine could have it, be it away or full for now. */
export function whatShellLacks(fitted: Fitted, nodes: readonly Node[]): string | null {
  const known = nodes.filter(({ state }) => state !== "gone");
  const withShells = known.filter(({ inventory }) => inventory.shells);
  if (withShells.length === 0) return "a machine that can have shells: `elastic-agent doctor` says what each one lacks";
  const nowhere = whyNowhere(fitted, withShells);
  if (nowhere === null) return null;
  if (whyNowhere(fitted, known) !== null) return `another machine: ${nowhere.message}`;
  // Else whoever sees the machine with all of it free would look for the fault anywhere but there.
  return `a machine that can have shells, with ${needs(fitted)}: those that have it cannot, \`elastic-agent doctor\` says why`;
}
