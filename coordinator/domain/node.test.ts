import { expect, test } from "vitest";
import { certified, enrolled, evicted, greeted, lost } from "./node.ts";
import { drain } from "./node-drain.ts";
import { aNode } from "./testing/records.ts";

const hello = { ...aNode("node-a"), sessionId: "session-2" };

test("a node that says hello is ready", () => {
  expect(greeted(null, hello, 5)).toMatchObject({ state: "ready", since: 5, sessionId: "session-2" });
});

test("a node that was lost is ready again", () => {
  expect(greeted(lost(aNode("node-a"), 3), hello, 5)).toMatchObject({ state: "ready", since: 5 });
});

test("keeps a node draining when it connects again, also after it was lost", () => {
  const draining = drain(aNode("node-a"), { askedAt: 3, userId: null, stopShells: false });
  expect(greeted(draining, hello, 5)).toMatchObject({ state: "draining", since: 3, drain: draining.drain });
  expect(greeted(lost(draining, 4), hello, 5)).toMatchObject({ state: "draining", since: 5, drain: draining.drain });
});

test("a second hello changes nothing but what it says", () => {
  const before = greeted(null, hello, 5);
  expect(greeted(before, hello, 9)).toEqual(before);
});

test("a node that was enrolled joins, and keeps its enrollment over hellos", () => {
  const joining = enrolled(null, { id: "node-a", enrolmentId: "one" }, 3);
  expect(joining).toMatchObject({ state: "joining", since: 3, inventory: { slots: 0 } });
  expect(greeted(joining, hello, 5)).toMatchObject({ state: "ready", since: 5, enrolmentId: "one" });
});

test("keeps an evicted node gone until it is enrolled again", () => {
  const gone = evicted(greeted(null, hello, 5), 7);
  expect(gone).toMatchObject({ state: "gone", since: 7, evictedAt: 7 });
  expect(evicted(gone, 9)).toBe(gone);
  const request = { askedAt: 6, userId: null, stopShells: false };
  expect(evicted(drain(aNode("node-a"), request), 7)).not.toHaveProperty("drain");
  const again = enrolled(gone, { id: "node-a", enrolmentId: "two" }, 11);
  expect(again).toMatchObject({ state: "joining", since: 11, enrolmentId: "two" });
  expect(again).not.toHaveProperty("evictedAt");
});

test("remembers the latest end of the certificates that a node was given or has shown", () => {
  const joining = enrolled(null, { id: "node-a", enrolmentId: "one", certificateEndsAt: 10 }, 3);
  const renewed = certified(joining, 20);
  expect(renewed.certificateEndsAt).toBe(20);
  expect(certified(renewed, 15)).toBe(renewed);
  expect(greeted(renewed, { ...hello, certificateEndsAt: 10 }, 5).certificateEndsAt).toBe(20);
  expect(greeted(renewed, { ...hello, certificateEndsAt: 30 }, 5).certificateEndsAt).toBe(30);
  expect(enrolled(renewed, { id: "node-a", enrolmentId: "two", certificateEndsAt: 12 }, 7).certificateEndsAt).toBe(12);
});

test("keeps the state of a node that is enrolled again", () => {
  const ready = greeted(null, hello, 5);
  expect(enrolled(ready, { id: "node-a", enrolmentId: "two" }, 7)).toEqual({ ...ready, enrolmentId: "two" });
});
