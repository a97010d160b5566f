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

test("takes a quarantine for the response to an order to accept work again", () => {
  const { orders, sent } = make();
  orders.order({ kind: "resume" });
  orders.onNodeState(NodeState.fromPartial({ standing: DRAINING, quarantine: "it sent too much" }));
  orders.onLinked();
  expect(sent).toEqual([false]);
  expect(orders.status()).toMatchObject({ standing: "draining", asked: null, quarantine: "it sent too much" });
});

test("takes a refusal for the response to an order, and shows it until the next order", () => {
  const { orders, sent } = make();
  // Of another coordinator, and of nothing that was ordered here.
  orders.onNodeState(NodeState.fromPartial({ standing: DRAINING, orderRefused: "too often" }));
  expect(orders.status().refused).toBeNull();
  orders.order({ kind: "resume" });
  orders.onNodeState(NodeState.fromPartial({ standing: DRAINING, orderRefused: "too often" }));
  orders.onLinked();
  expect(sent).toEqual([false]);
  expect(orders.status()).toMatchObject({ standing: "draining", asked: null, refused: "too often" });
  orders.order({ kind: "resume" });
  expect(orders.status()).toMatchObject({ asked: "resume", refused: null });
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
