/**
 * What was asked on this machine of its node: to drain, or to take work again; and what the coordinators say of it.
 * Theirs is the record. An order is repeated over every new link until one has answered it; it is not kept over a
 * restart, a drain that was answered is.
 */
import { type NodeReport, NodeStanding, type NodeState } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";

export type DrainOrder = { readonly kind: "drain"; readonly stopShells: boolean } | { readonly kind: "resume" };

export interface DrainStatus {
  /** As a coordinator said last; unknown before one has. */
  readonly standing: "unknown" | "ready" | "draining" | "drained";
  /** What is left, by the coordinators' records. */
  readonly attempts: number;
  readonly shells: number;
  readonly workloads: number;
  /** What was asked here and not answered yet. */
  readonly asked: DrainOrder["kind"] | null;
}

export interface DrainOrders {
  order(order: DrainOrder): void;
  onLinked(): void;
  onNodeState(state: NodeState): void;
  status(): DrainStatus;
}

type Order = Pick<NodeReport, "drainWanted" | "stopShells">;

/** `send` tells one coordinator; false when none is linked. */
export function drainOrders(send: (order: Order) => boolean): DrainOrders {
  let told: NodeState | null = null;
  let open: DrainOrder | null = null;

  const sendOpen = (): void => {
    if (open === null) return;
    send({ drainWanted: open.kind === "drain", stopShells: open.kind === "drain" && open.stopShells });
  };

  return {
    order: (order) => {
      open = order;
      sendOpen();
    },
    onLinked: sendOpen,
    onNodeState: (state) => {
      told = state;
      // What was said before the order came may say the other thing yet.
      const standing = standingOf(state);
      const wanted = open?.kind === "drain" ? ["draining", "drained"] : ["ready"];
      if (wanted.includes(standing)) open = null;
    },
    status: () => ({
      standing: standingOf(told),
      attempts: told?.runningAttempts ?? 0,
      shells: told?.shells ?? 0,
      workloads: told?.workloads ?? 0,
      asked: open?.kind ?? null,
    }),
  };
}

function standingOf(told: NodeState | null): DrainStatus["standing"] {
  switch (told?.standing) {
    case NodeStanding.NODE_STANDING_READY:
      return "ready";
    case NodeStanding.NODE_STANDING_DRAINING:
      return "draining";
    case NodeStanding.NODE_STANDING_DRAINED:
      return "drained";
    default:
      return "unknown";
  }
}
