import { expect, test } from "vitest";
import { evicted, lost } from "./node.ts";
import { drain, resume, standingOf } from "./node-drain.ts";
import { aNode, USER } from "./testing/records.ts";

const REQUEST = { askedAt: 5, userId: USER, stopShells: false };
const NOTHING = { attempts: 0, shells: 0, workloads: 0 };

test("drains a ready node from the request on, and makes it ready again when it is resumed", () => {
  const draining = drain(aNode("node-a"), REQUEST);
  expect(draining).toMatchObject({ state: "draining", since: 5, drain: REQUEST });
  expect(resume(draining, 9)).toEqual(aNode("node-a", { node: { since: 9 } }));
});

test("asking again changes nothing, but that shells are to be stopped too", () => {
  const draining = drain(aNode("node-a"), REQUEST);
  expect(drain(draining, { ...REQUEST, askedAt: 6, userId: null })).toBe(draining);
  const harder = drain(draining, { ...REQUEST, askedAt: 6, stopShells: true });
  expect(harder).toMatchObject({ since: 5, drain: { ...REQUEST, stopShells: true } });
  expect(drain(harder, { ...REQUEST, askedAt: 7 })).toBe(harder);
  const ready = aNode("node-a");
  expect(resume(ready, 9)).toBe(ready);
});

test("a node that is away is to drain once it is back, unless it is resumed before", () => {
  const away = drain(lost(aNode("node-a"), 3), REQUEST);
  expect(away).toMatchObject({ state: "lost", since: 3, drain: REQUEST });
  expect(resume(away, 9)).toEqual(lost(aNode("node-a"), 3));
});

test("a node that is gone can neither be drained nor resumed", () => {
  const gone = evicted(aNode("node-a"), 3);
  expect(() => drain(gone, REQUEST)).toThrow("is gone");
  expect(() => resume(gone, 9)).toThrow("is gone");
});

test("a node has drained once it drains and nothing is left there", () => {
  const draining = drain(aNode("node-a"), REQUEST);
  expect(standingOf(draining, NOTHING)).toBe("drained");
  for (const left of ["attempts", "shells", "workloads"]) {
    expect(standingOf(draining, { ...NOTHING, [left]: 1 })).toBe("draining");
  }
  expect(standingOf(aNode("node-a"), NOTHING)).toBe("ready");
});
