import { NodeStanding, NodeState } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { expect, test } from "vitest";
import { drainOrders } from "./drain-orders.ts";

const { NODE_STANDING_READY: READY, NODE_STANDING_DRAINING: DRAINING } = NodeStanding;

function make(linked = true) {
  const sent: (boolean | undefined)[] = [];
  const orders = drainOrders(({ drainWanted }) => {
    sent.push(drainWanted);
    return linked;
  });
  return {
    orders,
    sent,
    reported: (standing: NodeStanding) => orders.onNodeState(NodeState.fromPartial({ standing })),
  };
}

test("repeats an order over each new link until a coordinator has responded, and not after", () => {
  const { orders, sent, reported } = make(false);
  expect(orders.status()).toMatchObject({ standing: "unknown", asked: null });
  orders.order({ kind: "drain", stopShells: true });
  orders.onLinked();
  expect(orders.status().asked).toBe("drain");
  // What the coordinator said when the link opened is no response to the order.
  reported(READY);
  expect(orders.status()).toMatchObject({ standing: "ready", asked: "drain" });
  reported(DRAINING);
  orders.onLinked();
  expect(sent).toEqual([true, true]);
  expect(orders.status()).toMatchObject({ standing: "draining", asked: null });
});

test("sends the newest order only", () => {
  const { orders, sent, reported } = make();
  orders.order({ kind: "drain", stopShells: false });
  orders.order({ kind: "resume" });
  reported(DRAINING);
  expect(orders.status().asked).toBe("resume");
  reported(READY);
  orders.onLinked();
  expect(sent).toEqual([true, false]);
  expect(orders.status()).toMatchObject({ standing: "ready", asked: null });
});
