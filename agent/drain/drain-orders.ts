/**
 * Orders that were given on this machine to its node: to drain, or to accept work again; and the coordinators' state of
 * it. Theirs is the record. An order is repeated over every new link until one has responded; it does not outlive a
 * restart, a drain that a coordinator has recorded does.
 */
import { type NodeReport, NodeStanding, type NodeState } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";

export type DrainOrder =
  | { readonly kind: "drain"; readonly stopShells: boolean; readonly spot?: true }
  | { readonly kind: "resume" };

export interface DrainStatus {
  /** As a coordinator said last; unknown before one has. */
  readonly standing: "unknown" | "ready" | "draining" | "drained";
  /** What is left, by the coordinators' records. */
  readonly attempts: number;
  readonly shells: number;
  readonly workloads: number;
  /** Why the coordinators have quarantined the node; null while they have not. */
  readonly quarantine: string | null;
  /** The order that was given here, until a coordinator has responded to it. */
  readonly asked: DrainOrder["kind"] | null;
  /** Why the newest order was not carried out, as a coordinator said; null where it was, or has no response yet. */
  readonly refused: string | null;
}

export interface DrainOrders {
  order(order: DrainOrder): void;
  onLinked(): void;
  onNodeState(state: NodeState): void;
  status(): DrainStatus;
}

type Order = Pick<NodeReport, "drainWanted" | "stopShells" | "spot">;

/** `send` reports to one coordinator; false when none is linked. */
export function drainOrders(send: (order: Order) => boolean): DrainOrders {
  let recorded: NodeState | null = null;
  let open: DrainOrder | null = null;
  let refused: string | null = null;

  const sendOpen = (): void => {
    if (open === null) return;
    if (open.kind === "drain") send({ drainWanted: true, stopShells: open.stopShells, spot: open.spot === true });
    else send({ drainWanted: false, stopShells: false, spot: false });
  };

  return {
    order: (order) => {
      open = order;
      refused = null;
      sendOpen();
    },
    onLinked: sendOpen,
    onNodeState: (state) => {
      recorded = state;
      // What was said before the order came may say the other thing yet.
      const standing = standingOf(state);
      const wanted = open?.kind === "drain" ? ["draining", "drained"] : ["ready"];
      if (open !== null && state.orderRefused !== undefined) refused = state.orderRefused;
      if (wanted.includes(standing) || state.quarantine !== undefined || state.orderRefused !== undefined) open = null;
    },
    status: () => ({
      standing: standingOf(recorded),
      attempts: recorded?.runningAttempts ?? 0,
      shells: recorded?.shells ?? 0,
      workloads: recorded?.workloads ?? 0,
      quarantine: recorded?.quarantine ?? null,
      asked: open?.kind ?? null,
      refused,
    }),
  };
}

function standingOf(recorded: NodeState | null): DrainStatus["standing"] {
  switch (recorded?.standing) {
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
