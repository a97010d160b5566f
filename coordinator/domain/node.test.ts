import { expect, test } from "vitest";
import { greeted, lost } from "./node.ts";
import { aNode } from "./testing/records.ts";

const hello = { ...aNode("node-a"), sessionId: "session-2" };

test("a node that says hello is ready", () => {
  expect(greeted(null, hello, 5)).toMatchObject({ state: "ready", since: 5, sessionId: "session-2" });
});

test("a node that was lost is ready again", () => {
  expect(greeted(lost(aNode("node-a"), 3), hello, 5)).toMatchObject({ state: "ready", since: 5 });
});

test("a node that drains goes on draining when it connects again", () => {
  const draining = { ...aNode("node-a"), state: "draining", since: 3 } as const;
  expect(greeted(draining, hello, 5)).toMatchObject({ state: "draining", since: 3 });
});

test("a second hello changes nothing but what it says", () => {
  const before = greeted(null, hello, 5);
  expect(greeted(before, hello, 9)).toEqual(before);
});
