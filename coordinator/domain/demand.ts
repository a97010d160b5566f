/** What the fleet lacks: workloads that are wanted now and for which no machine has room. */
import type { Instant } from "@elastic/std/clock.ts";
import type { Fitted } from "./suitable-node.ts";

/** Why no machine has room: none ever could, or all that could are taken or away. */
export const DEMAND_REASONS = ["no_such_label", "no_such_gpu", "no_such_machine", "no_room"] as const;

type DemandReason = (typeof DEMAND_REASONS)[number];

/** Of workloads that require the same of a machine. */
export interface Demand {
  readonly fitted: Fitted;
  /** Whether they are shells, which not every machine can have. */
  readonly shells: boolean;
  /** How many more are wanted. */
  readonly workloads: number;
  /** Tasks that wait for them. */
  readonly tasks: number;
  /** Since when the task or shell waits that waits longest; null where only a minimum is not met. */
  readonly oldestSince: Instant | null;
  readonly reason: DemandReason;
  /** For a person. */
  readonly message: string;
}
