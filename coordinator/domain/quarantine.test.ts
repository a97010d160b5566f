import { expect, test } from "vitest";
import { greeted, lost } from "./node.ts";
import { drain, resume } from "./node-drain.ts";
import { QUARANTINE_MS, quarantined, released, releasedAt, resumedOnMachine } from "./quarantine.ts";
import { aNode } from "./testing/records.ts";

const REQUEST = { askedAt: 5, userId: "1".repeat(32), stopShells: false };
const WHY = "a report of another node's attempt";

test("drains a node, over reconnects too, and releases it once its time is over", () => {
  const node = quarantined(aNode("node-a"), WHY, 10);
  expect(node).toMatchObject({ state: "draining", since: 10, drain: { userId: null, quarantine: { reason: WHY } } });
  const { id, inventory, agentVersion, sessionId } = node;
  const back = greeted(lost(node, 20), { id, inventory, agentVersion, sessionId }, 30);
  expect(back).toMatchObject({ state: "draining", drain: node.drain });
  expect(released(back, 40)).toMatchObject({ state: "ready", since: 40 });
  expect(released(back, 40).drain).toBeUndefined();
});

test("notes what is refused later once a minute, from which its time counts again", () => {
  const node = quarantined(aNode("node-a"), WHY, 0);
  expect(quarantined(node, "another", 59_999)).toBe(node);
  const again = quarantined(node, "another", 60_000);
  expect(again.drain?.quarantine).toEqual({
    since: 0,
    lastRefusedAt: 60_000,
    reason: WHY,
    isDrainRequested: false,
  });
  expect(again.drain?.quarantine && releasedAt(again.drain.quarantine)).toBe(60_000 + QUARANTINE_MS);
});

test.each([
  ["before", quarantined(drain(aNode("node-a"), REQUEST), WHY, 10)],
  ["after", drain(quarantined(aNode("node-a"), WHY, 4), REQUEST)],
])("leaves a drain that was requested %s it", (_, node) => {
  expect(node.drain).toMatchObject({ ...REQUEST, quarantine: { isDrainRequested: true } });
  expect(released(node, 20)).toMatchObject({ state: "draining", drain: REQUEST });
  expect(released(node, 20).drain?.quarantine).toBeUndefined();
});

test("ends by an operator's order, and by none of the machine itself", () => {
  const node = quarantined(aNode("node-a"), WHY, 10);
  expect(resumedOnMachine(node, 20)).toBe(node);
  const drained = drain(node, REQUEST);
  const resumed = resumedOnMachine(drained, 20);
  expect(resumed).toMatchObject({ state: "draining", drain: { quarantine: { isDrainRequested: false } } });
  expect(released(resumed, 30).state).toBe("ready");
  expect(resume(drained, 20).drain).toBeUndefined();
  expect(resumedOnMachine(drain(aNode("node-a"), REQUEST), 20).state).toBe("ready");
});
