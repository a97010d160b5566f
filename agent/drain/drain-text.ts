/** How a drain goes, in a line for a person. */
import { counted } from "@elastic/std/counted.ts";
import type { DrainStatus } from "./drain-orders.ts";

export function drainText(drain: DrainStatus): string {
  const quarantine = drain.quarantine === null ? "" : ` (quarantined: ${drain.quarantine})`;
  return `${standingText(drain)}${quarantine}${drain.asked === null ? "" : ` (${drain.asked} was requested, and no coordinator has responded yet)`}`;
}

/** What is left of work on a node, by the coordinators' records and by the agent's own. */
export interface RemainingWork {
  readonly drain: DrainStatus;
  readonly workloads: readonly unknown[];
  readonly attemptsRunning: number;
}

export function isEmpty({ drain, workloads, attemptsRunning }: RemainingWork): boolean {
  return drain.standing === "drained" && drain.asked === null && workloads.length === 0 && attemptsRunning === 0;
}

function standingText({ standing, ...left }: DrainStatus): string {
  switch (standing) {
    case "ready":
      return "takes work";
    case "draining":
      return `draining: ${leftText(left)} left`;
    case "drained":
      return "drained: nothing is left here";
    default:
      return "no coordinator has reported it yet";
  }
}

function leftText({ attempts, shells, workloads }: Pick<DrainStatus, "attempts" | "shells" | "workloads">): string {
  const left = Object.entries({ attempt: attempts, shell: shells, workload: workloads });
  return left.flatMap(([noun, count]) => (count === 0 ? [] : [counted(count, noun)])).join(", ");
}
