/** What every child process needs as soon as it was spawned. */
import type { ChildProcess } from "node:child_process";

/**
 * Throws where the machine has no file descriptor left for the child's pipes. Node reports that by an event, and by
 * pipes that are not there: whoever reached for them first would fail, and the event, without a listener, would end the
 * agent.
 */
export function spawned<Child extends ChildProcess>(child: Child): Child {
  child.on("error", () => undefined);
  if ((child.stdio as unknown) === undefined) throw new Error("no file descriptor is left to start a program with");
  return child;
}
